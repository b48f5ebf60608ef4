import { allCountries } from '@trunkline/domain/countries'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Select } from '../../../ui/Select.tsx'
import { statuses } from '../statuses.ts'
import { type Draft, draftOf, type Faults, readDraft } from './filters.ts'
import type { Filters } from './search.ts'

type FilterPanelProps = { id: string; filters: Filters; onApply: (filters: Filters) => void }

export function FilterPanel({ id, filters, onApply }: FilterPanelProps) {
  const [draft, setDraft] = useState(() => draftOf(filters))
  const [faults, setFaults] = useState<Faults>({})
  const panel = useRef<HTMLFormElement>(null)

  useEffect(() => panel.current?.querySelector('select')?.focus(), [])

  const edit = (name: keyof Draft) => (event: { target: { value: string } }) => {
    setDraft({ ...draft, [name]: event.target.value })
    setFaults({})
  }
  function apply() {
    const read = readDraft(draft)
    if (read.ok) onApply(read.filters)
    else setFaults(read.faults)
  }

  return (
    <form
      id={id}
      ref={panel}
      noValidate
      aria-label="Filters"
      className="card mt-3 grid gap-4 sm:grid-cols-2 lg:grid-cols-4"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <Field label="Status">
        <Select value={draft.status} onChange={edit('status')}>
          <option value="">Any</option>
          {Object.entries(statuses).map(([status, { label }]) => (
            <option key={status} value={status}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Country">
        <Select value={draft.country} onChange={edit('country')}>
          <option value="">Any</option>
          {allCountries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Range
        of="duration"
        unit="seconds"
        inputMode="numeric"
        error={faults.duration}
        draft={draft}
        edit={edit}
      />
      <Range of="cost" unit="dollars" inputMode="decimal" error={faults.cost} draft={draft} edit={edit} />
      <div className="flex justify-end gap-2 sm:col-span-2 lg:col-span-4">
        <Button variant="ghost" onClick={() => onApply({})}>
          Clear
        </Button>
        <Button type="submit" variant="primary">
          Apply
        </Button>
      </div>
    </form>
  )
}

type RangeProps = {
  of: 'duration' | 'cost'
  unit: string
  inputMode: 'numeric' | 'decimal'
  error: string | undefined
  draft: Draft
  edit: (name: keyof Draft) => (event: { target: { value: string } }) => void
}

const ends = [
  ['min', 'Minimum', 'Min'],
  ['max', 'Maximum', 'Max'],
] as const

/** A minimum and a maximum with one label. */
function Range({ of, unit, inputMode, error, draft, edit }: RangeProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be laid out like the other labels
    <div role="group" aria-labelledby={id} aria-describedby={error ? `${id}-error` : undefined}>
      <p id={id} className="mb-1.5 flex items-baseline justify-between gap-3 font-medium text-sm">
        {of === 'cost' ? 'Cost' : 'Duration'} <span className="font-normal text-muted text-xs">{unit}</span>
      </p>
      <div className="grid grid-cols-2 gap-2">
        {ends.map(([end, most, word]) => (
          <Input
            key={end}
            aria-label={`${most} ${of} in ${unit}`}
            placeholder={word}
            inputMode={inputMode}
            value={draft[`${end}_${of}`]}
            onChange={edit(`${end}_${of}`)}
          />
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-danger text-sm">
          {error}
        </p>
      )}
    </div>
  )
}
