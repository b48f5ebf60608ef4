import { SEARCH_MAX } from '@trunkline/contract/limits'
import { DISPLAY_STATUSES, paymentStates, statesOf } from '@trunkline/contract/payment-states'
import { X } from 'lucide-react'
import { useId, useRef } from 'react'
import { dollarsIn } from '../../common/address.ts'
import { CsvButton } from '../../common/CsvButton.tsx'
import { viewersZone, writeDay } from '../../common/period.ts'
import { useTyping } from '../../common/use-typing.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Select } from '../../ui/Select.tsx'
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
  /** Of the user whose payments are asked for, once it is known. */
  username: string | undefined
  onSelect: (next: PaymentsSearch, replace?: boolean) => void
}

/** Which payments. Everything chosen here stands in the address, so that it can be kept, shared and gone back to. */
export function Toolbar({ selection, username, onSelect }: ToolbarProps) {
  const [typed, setTyped] = useTyping(selection.text ?? '', (text) =>
    onSelect(withOrWithout(selection, 'text', text || undefined), true),
  )
  const inUse = describeFilters(selection, username)
  return (
    <div className="mb-4 flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        <SearchInput
          label="Search payments"
          placeholder="Order, track id, user or email..."
          maxLength={SEARCH_MAX}
          className="min-w-60 flex-1 max-sm:col-span-2"
          value={typed}
          onValueChange={setTyped}
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
          {Object.entries(kinds).map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <Days selection={selection} onSelect={onSelect} />
        <Amount name="min" label="Amount from" selection={selection} onSelect={onSelect} />
        <Amount name="max" label="Amount to" selection={selection} onSelect={onSelect} />
        <Checkbox
          className="py-2.5"
          label="Can be refunded"
          checked={selection.refundable === 1}
          onChange={({ target }) =>
            onSelect(withOrWithout(selection, 'refundable', target.checked ? 1 : undefined))
          }
        />
        <div className="flex flex-wrap gap-2 sm:ml-auto">
          <CsvButton
            of="payments"
            address="GET /api/admin/payments.csv"
            query={{ ...filtersOf(selection), timezone: viewersZone() }}
            fileName="payments.csv"
          />
        </div>
      </div>
      {inUse.length > 0 && (
        <ul aria-label="Filters in use" className="flex flex-wrap gap-2">
          {inUse.map(({ text, without }) => (
            <li key={text}>
              <button
                type="button"
                aria-label={`Remove ${text}`}
                onClick={() => onSelect(without)}
                className="figures flex h-8 items-center gap-1.5 rounded-md border bg-sunken pr-2 pl-2.5 text-sm hover:border-edge"
              >
                {text}
                <X aria-hidden className="size-3.5 text-muted" />
              </button>
            </li>
          ))}
          <li>
            <Button size="sm" variant="ghost" onClick={() => onSelect({})}>
              Clear all
            </Button>
          </li>
        </ul>
      )}
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
    {DISPLAY_STATUSES.map((status) => (
      <option key={status} value={status}>
        {status}
      </option>
    ))}
    {DISPLAY_STATUSES.map((status) => (
      <optgroup key={status} label={`${status}, in detail`}>
        {statesOf(status).map((state) => (
          <option key={state} value={state}>
            {paymentStates[state].label}
          </option>
        ))}
      </optgroup>
    ))}
  </Select>
)

function Days({ selection, onSelect }: Part) {
  const { from, to } = selection
  const today = writeDay(new Date())
  const isBackwards = from !== undefined && to !== undefined && from > to
  return (
    <>
      <Field label="From" className="min-w-36 max-sm:flex-1">
        <Input
          type="date"
          max={to ?? today}
          value={from ?? ''}
          onChange={({ target }) => onSelect(withOrWithout(selection, 'from', target.value || undefined))}
        />
      </Field>
      <Field
        label="To"
        className="min-w-36 max-sm:flex-1"
        error={isBackwards ? 'The last day is before the first.' : undefined}
      >
        <Input
          type="date"
          min={from}
          max={today}
          value={to ?? ''}
          onChange={({ target }) => onSelect(withOrWithout(selection, 'to', target.value || undefined))}
        />
      </Field>
    </>
  )
}

/** What is typed stands as it is typed; once it is an amount, it stands in the address as well. */
function Amount({ name, label, selection, onSelect }: Part & { name: 'min' | 'max'; label: string }) {
  const id = useId()
  const told = useRef('')
  const known = dollarsIn(told.current) === selection[name] ? told.current : String(selection[name] ?? '')
  const [typed, setTyped] = useTyping(known, (text) => {
    told.current = text
    if (text === '' || dollarsIn(text) !== undefined)
      onSelect(withOrWithout(selection, name, dollarsIn(text)), true)
  })
  const isOdd = typed.trim() !== '' && dollarsIn(typed) === undefined
  const isBackwards = (selection.min ?? 0) > (selection.max ?? Number.POSITIVE_INFINITY)
  return (
    <Field
      label={label}
      className="w-32 max-sm:min-w-32 max-sm:flex-1"
      error={isOdd ? 'Dollars, such as 0.50' : isBackwards && name === 'max' ? 'Less than from' : undefined}
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
