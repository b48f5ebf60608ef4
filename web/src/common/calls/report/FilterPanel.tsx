import { allCountries } from '@trunkline/domain/countries'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { directions } from '../directions.ts'
import { statuses } from '../statuses.ts'
import { type Draft, draftOf, type Faults, type FilterRules, readDraft } from './filters.ts'
import type { Filters } from './search.ts'
import { qualities } from './speech-quality.ts'

export type FilterForm = {
  draft: Draft
  edit: (name: keyof Draft) => (event: { target: { value: string } }) => void
  faults: Faults
}

type FilterPanelProps = {
  id: string
  filters: Filters
  onApply: (filters: Filters) => void
  /** Additional filters for administrators. */
  rules?: FilterRules | undefined
  fields?: ((form: FilterForm) => ReactNode) | undefined
}

export function FilterPanel({ id, filters, onApply, rules, fields }: FilterPanelProps) {
  const [draft, setDraft] = useState(() => draftOf(filters))
  const [faults, setFaults] = useState<Faults>({})
  const panel = useRef<HTMLFormElement>(null)

  useEffect(() => panel.current?.querySelector('select')?.focus(), [])

  const edit = (name: keyof Draft) => (event: { target: { value: string } }) => {
    setDraft({ ...draft, [name]: event.target.value })
    setFaults({})
  }
  function apply() {
    const read = readDraft(draft, rules)
    if (read.ok) onApply(read.filters)
    else setFaults(read.faults)
  }

  const form = { draft, edit, faults }
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
      <ChoiceFilter
        form={form}
        label="Status"
        name="status"
        of={Object.entries(statuses).map(([status, { label }]) => [status, label])}
      />
      <ChoiceFilter
        form={form}
        label="Direction"
        name="direction"
        of={Object.entries(directions).map(([direction, { name }]) => [direction, name])}
      />
      <ChoiceFilter
        form={form}
        label="Country"
        name="country"
        of={allCountries().map(({ code, name }) => [code, name])}
      />
      <ChoiceFilter form={form} label="Speech quality" name="quality" of={Object.entries(qualities)} />
      <Range
        label="Duration"
        unit="seconds"
        inputMode="numeric"
        error={faults.duration}
        ends={[
          ['min_duration', 'Minimum duration in seconds', 'Min'],
          ['max_duration', 'Maximum duration in seconds', 'Max'],
        ]}
        form={form}
      />
      <Range
        label="Cost"
        unit="dollars"
        inputMode="decimal"
        error={faults.cost}
        ends={[
          ['min_cost', 'Minimum cost in dollars', 'Min'],
          ['max_cost', 'Maximum cost in dollars', 'Max'],
        ]}
        form={form}
      />
      {fields?.(form)}
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

type ChoiceFilterProps = ComponentProps<typeof Options> & {
  label: string
  name: keyof Draft
  form: FilterForm
}

export const ChoiceFilter = ({ label, name, of, form: { draft, edit } }: ChoiceFilterProps) => (
  <Field label={label}>
    <Select value={draft[name]} onChange={edit(name)}>
      <option value="">Any</option>
      <Options of={of} />
    </Select>
  </Field>
)

type RangeProps = {
  label: string
  unit: string
  inputMode: 'numeric' | 'decimal' | 'text'
  error: string | undefined
  ends: readonly [name: keyof Draft, label: string, placeholder: string][]
  form: FilterForm
}

/** Two bounds with one label. */
export function Range({ label, unit, inputMode, error, ends, form }: RangeProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be laid out like the other labels
    <div role="group" aria-labelledby={id} aria-describedby={error ? `${id}-error` : undefined}>
      <p id={id} className="mb-1.5 flex items-baseline justify-between gap-3 font-medium text-sm">
        {label} <span className="font-normal text-muted text-xs">{unit}</span>
      </p>
      <div className="grid grid-cols-2 gap-2">
        {ends.map(([name, bound, placeholder]) => (
          <Input
            key={name}
            aria-label={bound}
            placeholder={placeholder}
            inputMode={inputMode}
            value={form.draft[name]}
            onChange={form.edit(name)}
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
