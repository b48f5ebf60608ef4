import type { FormState } from '../../../common/forms/use-form.ts'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import type { RouteDraft } from './route-draft.ts'

const fields = [
  { name: 'connect_fee', label: 'Connect fee', hint: 'Dollars per answered call', inputMode: 'decimal' },
  { name: 'first_increment', label: 'First increment', hint: 'Minimum seconds billed', inputMode: 'numeric' },
  { name: 'next_increment', label: 'Next increment', hint: 'Then billed in steps of', inputMode: 'numeric' },
] as const satisfies readonly { name: keyof RouteDraft; [more: string]: string }[]

type RateFieldsProps = { form: Pick<FormState<RouteDraft>, 'bind' | 'errors'> }

export const RateFields = ({ form: { bind, errors } }: RateFieldsProps) => (
  <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
    {fields.map(({ name, label, hint, inputMode }) => (
      <Field key={name} label={label} hint={hint} error={errors[name]} className="max-sm:first:col-span-2">
        <Input {...bind(name)} inputMode={inputMode} autoComplete="off" className="figures" />
      </Field>
    ))}
  </div>
)
