import { SEARCH_MAX } from '@trunkline/contract/limits'
import { DISPLAY_STATUSES, paymentStates, statesOf } from '@trunkline/contract/payment-states'
import { useId, useRef, useState } from 'react'
import { dollarsIn } from '../../common/address.ts'
import { CsvButton } from '../../common/CsvButton.tsx'
import { DayFields } from '../../common/DayFields.tsx'
import { FilterButton } from '../../common/FilterButton.tsx'
import { FiltersInUse } from '../../common/FiltersInUse.tsx'
import { viewersZone } from '../../common/format/viewer.ts'
import { SearchBox } from '../../common/SearchBox.tsx'
import { useDebouncedInput } from '../../common/use-debounced-input.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import {
  chooseStatus,
  describeFilters,
  filtersOf,
  kinds,
  type PaymentKind,
  type PaymentsSearch,
  type Selection,
  statusChoice,
} from './search.ts'

type ToolbarProps = {
  selection: Selection
  /** Name of the selected user, once it is loaded. */
  username: string | undefined
  onSelect: (next: PaymentsSearch, replace?: boolean) => void
}

/** The filters behind the button. */
const moreFilters = ['from', 'to', 'min', 'max', 'refundable'] as const

export function Toolbar({ selection, username, onSelect }: ToolbarProps) {
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  return (
    <div className="mb-4 flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        <SearchBox
          label="Search payments"
          placeholder="Order, track ID, user or email"
          maxLength={SEARCH_MAX}
          className="min-w-60 flex-1 max-sm:col-span-2"
          text={selection.text}
          onSearch={(text) => onSelect(withOrWithout(selection, 'text', text), true)}
        />
        <StatusSelect selection={selection} onSelect={onSelect} />
        <Select
          aria-label="Type"
          className="sm:w-36"
          value={selection.kind ?? ''}
          onChange={({ target }) =>
            onSelect(withOrWithout(selection, 'kind', (target.value || undefined) as PaymentKind | undefined))
          }
        >
          <option value="">All types</option>
          <Options of={Object.entries(kinds)} />
        </Select>
        <FilterButton
          count={moreFilters.filter((name) => selection[name] !== undefined).length}
          isOpen={isOpen}
          panel={panel}
          onToggle={() => setOpen(!isOpen)}
        />
        <CsvButton
          of="payments"
          address="GET /api/admin/payments.csv"
          query={{ ...filtersOf(selection), timezone: viewersZone() }}
          fileName="payments.csv"
        />
      </div>
      {isOpen && (
        <div id={panel} className="flex flex-wrap items-end gap-x-3 gap-y-2">
          <DayFields
            from={selection.from}
            to={selection.to}
            className="min-w-36 max-sm:flex-1"
            onChange={(name, day) => onSelect(withOrWithout(selection, name, day), true)}
          />
          <Amount name="min" label="Min. amount" selection={selection} onSelect={onSelect} />
          <Amount name="max" label="Max. amount" selection={selection} onSelect={onSelect} />
          <Checkbox
            className="py-2.5"
            label="Refundable"
            checked={selection.refundable === 1}
            onChange={({ target }) =>
              onSelect(withOrWithout(selection, 'refundable', target.checked ? 1 : undefined))
            }
          />
        </div>
      )}
      <FiltersInUse filters={describeFilters(selection, username)} onSelect={onSelect}>
        <Button size="sm" variant="ghost" onClick={() => onSelect({})}>
          Clear all
        </Button>
      </FiltersInUse>
    </div>
  )
}

type Part = Pick<ToolbarProps, 'selection' | 'onSelect'>

const StatusSelect = ({ selection, onSelect }: Part) => (
  <Select
    aria-label="Status"
    className="sm:w-44"
    value={statusChoice(selection)}
    onChange={({ target }) => onSelect(chooseStatus(selection, target.value))}
  >
    <option value="">All statuses</option>
    <Options of={DISPLAY_STATUSES.map((status) => [status, status])} />
    {DISPLAY_STATUSES.map((status) => (
      <optgroup key={status} label={`${status}: details`}>
        <Options of={statesOf(status).map((state) => [state, paymentStates[state].label])} />
      </optgroup>
    ))}
  </Select>
)

/** Only a valid amount goes into the address. */
function Amount({ name, label, selection, onSelect }: Part & { name: 'min' | 'max'; label: string }) {
  const id = useId()
  const sent = useRef('')
  const known = dollarsIn(sent.current) === selection[name] ? sent.current : String(selection[name] ?? '')
  const [typed, setTyped] = useDebouncedInput(known, (text) => {
    sent.current = text
    if (text === '' || dollarsIn(text) !== undefined)
      onSelect(withOrWithout(selection, name, dollarsIn(text)), true)
  })
  const isOdd = typed.trim() !== '' && dollarsIn(typed) === undefined
  const isBackwards = (selection.min ?? 0) > (selection.max ?? Number.POSITIVE_INFINITY)
  return (
    <Field
      label={label}
      className="w-32 max-sm:min-w-32 max-sm:flex-1"
      error={
        isOdd
          ? 'Enter dollars, e.g. 0.50'
          : isBackwards && name === 'max'
            ? 'The maximum is less than the minimum.'
            : undefined
      }
    >
      <Input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        placeholder="$"
        className="figures"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </Field>
  )
}

function withOrWithout<Name extends keyof Selection>(
  selection: Selection,
  name: Name,
  value: Selection[Name] | undefined,
): Selection {
  const { [name]: _, ...others } = selection
  return value === undefined ? (others as Selection) : ({ ...others, [name]: value } as Selection)
}
