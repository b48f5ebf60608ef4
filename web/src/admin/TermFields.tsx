import { Field } from '../ui/Field.tsx'
import { Input } from '../ui/Input.tsx'

/** What `bind` of a form returns, with the error of the field. */
type BoundField = {
  name: string
  value: string
  onChange: (event: { target: { value: string } }) => void
  error: string | undefined
}

type TermFieldsProps = { fee: BoundField; first: BoundField; next: BoundField }

/** The terms of a rate: connect fee and increments. */
export const TermFields = ({ fee, first, next }: TermFieldsProps) => (
  <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
    <TermField label="Connect fee" hint="Dollars per answered call" inputMode="decimal" field={fee} />
    <TermField label="First increment" hint="Minimum seconds billed" inputMode="numeric" field={first} />
    <TermField label="Next increment" hint="Then billed in steps of" inputMode="numeric" field={next} />
  </div>
)

type TermFieldProps = { label: string; hint: string; inputMode: 'decimal' | 'numeric'; field: BoundField }

const TermField = ({ label, hint, inputMode, field: { error, ...input } }: TermFieldProps) => (
  <Field label={label} hint={hint} error={error} className="max-sm:first:col-span-2">
    <Input {...input} inputMode={inputMode} autoComplete="off" className="figures" />
  </Field>
)
