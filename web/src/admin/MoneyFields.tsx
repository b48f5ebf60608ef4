import { REASON_MAX } from '@trunkline/contract/limits'
import { Field } from '../ui/Field.tsx'
import { Input } from '../ui/Input.tsx'
import { Textarea } from '../ui/Textarea.tsx'

type MoneyFieldProps = {
  value: string
  error: string | undefined
  hint?: string
  onChange: (value: string) => void
}

/** Whoever moves money by hand says how much, and why. */

export const AmountField = ({ value, error, hint, onChange }: MoneyFieldProps) => (
  <Field label="Amount in dollars" error={error} hint={hint}>
    <Input
      name="amount"
      required
      inputMode="decimal"
      autoComplete="off"
      className="figures"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </Field>
)

export const ReasonField = ({ value, error, hint, onChange }: MoneyFieldProps) => (
  <Field label="Reason" error={error} hint={hint}>
    <Textarea
      name="reason"
      required
      rows={3}
      maxLength={REASON_MAX}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </Field>
)
