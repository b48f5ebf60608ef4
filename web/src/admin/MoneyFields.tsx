import { REASON_MAX } from '@trunkline/contract/limits'
import { Field } from '../ui/Field.tsx'
import { Input } from '../ui/Input.tsx'
import { Textarea } from '../ui/Textarea.tsx'

type MoneyFieldProps = {
  name: string
  value: string
  onChange: (event: { target: { value: string } }) => void
  error: string | undefined
  hint?: string
}

export const AmountField = ({ error, hint, ...field }: MoneyFieldProps) => (
  <Field label="Amount in dollars" error={error} hint={hint}>
    <Input {...field} required inputMode="decimal" autoComplete="off" className="figures" />
  </Field>
)

export const ReasonField = ({ error, hint, ...field }: MoneyFieldProps) => (
  <Field label="Reason" error={error} hint={hint}>
    <Textarea {...field} required rows={3} maxLength={REASON_MAX} />
  </Field>
)
