import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import type { Faults, RateDraft } from './route-draft.ts'

type Billing = Omit<RateDraft, 'prefix' | 'price'>

const fields = [
  { name: 'connect_fee', label: 'Connect fee', hint: 'Dollars per answered call', inputMode: 'decimal' },
  { name: 'first_increment', label: 'First increment', hint: 'Seconds billed whole', inputMode: 'numeric' },
  { name: 'next_increment', label: 'Next increment', hint: 'Then in steps of', inputMode: 'numeric' },
] as const satisfies readonly { name: keyof Billing; [more: string]: string }[]

/** What the price of a minute does not tell. */
export function RateFields({
  value,
  faults,
  onChange,
}: {
  value: Billing
  faults: Faults
  onChange: (change: Partial<Billing>) => void
}) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {fields.map(({ name, label, hint, inputMode }) => (
        <Field key={name} label={label} hint={hint} error={faults[name]} className="max-sm:first:col-span-2">
          <Input
            name={name}
            inputMode={inputMode}
            autoComplete="off"
            className="figures"
            value={value[name]}
            onChange={(event) => onChange({ [name]: event.target.value })}
          />
        </Field>
      ))}
    </div>
  )
}
