import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import type { DestinationValues, PlanErrors } from './ring-form.ts'

/** The fields of one kind of destination. */
export type DestinationProps = {
  values: DestinationValues
  /** The path of the destination in the request. */
  path: string
  errors: PlanErrors
  onEdit: (change: Partial<DestinationValues>) => void
  /** The rented number, as shown. */
  ownNumber: string
}

type SecondsFieldProps = {
  name: string
  value: string
  error: string | undefined
  onChange: (seconds: string) => void
}

export const SecondsField = ({ name, value, error, onChange }: SecondsFieldProps) => (
  <Field label="Ring time (seconds)" error={error}>
    <Input
      name={name}
      value={value}
      inputMode="numeric"
      autoComplete="off"
      className="figures"
      onChange={({ target }) => onChange(target.value)}
    />
  </Field>
)
