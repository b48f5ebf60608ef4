import type { FormState } from '../../common/forms/use-form.ts'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { type Terms, termLabels } from './promo-form.ts'

type TermFieldsProps = { form: Pick<FormState<Terms>, 'bind' | 'errors'> }

export const TermFields = ({ form: { bind, errors } }: TermFieldsProps) => (
  <>
    <Field label={termLabels.expiry} optional error={errors.expiry} hint="The last day the code can be used.">
      <Input {...bind('expiry')} type="date" />
    </Field>
    <div className="grid gap-4 sm:grid-cols-2">
      {(['total_limit', 'per_user_limit'] as const).map((name) => (
        <Field
          key={name}
          label={termLabels[name]}
          optional
          error={errors[name]}
          hint="Leave blank for no limit."
        >
          <Input {...bind(name)} inputMode="numeric" autoComplete="off" className="figures" />
        </Field>
      ))}
    </div>
  </>
)
