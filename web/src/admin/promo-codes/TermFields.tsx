import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import type { Faults, Terms } from './promo-form.ts'

type TermFieldsProps = { typed: Terms; faults: Faults; onEdit: (change: Partial<Terms>) => void }

/** When and how often: the same for a new code and for one that people have. */
export const TermFields = ({ typed, faults, onEdit }: TermFieldsProps) => (
  <>
    <Field label="Expiry" optional error={faults.expiry} hint="The last day on which it can be used.">
      <Input
        type="date"
        name="expiry"
        value={typed.expiry}
        onChange={({ target }) => onEdit({ expiry: target.value })}
      />
    </Field>
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Uses in all" optional error={faults.total_limit} hint="Empty: no limit.">
        <Input
          name="total_limit"
          inputMode="numeric"
          autoComplete="off"
          className="figures"
          value={typed.totalLimit}
          onChange={({ target }) => onEdit({ totalLimit: target.value })}
        />
      </Field>
      <Field label="Uses per user" optional error={faults.per_user_limit} hint="Empty: no limit.">
        <Input
          name="per_user_limit"
          inputMode="numeric"
          autoComplete="off"
          className="figures"
          value={typed.perUserLimit}
          onChange={({ target }) => onEdit({ perUserLimit: target.value })}
        />
      </Field>
    </div>
  </>
)
