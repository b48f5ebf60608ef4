import { useEffect } from 'react'
import { api } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { FormFeedback } from '../../../common/forms/FormFeedback.tsx'
import { useForm } from '../../../common/forms/use-form.ts'
import { LimitFields } from '../../../common/guards/LimitFields.tsx'
import type { ListName } from '../../../common/guards/limits-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Form } from '../../../ui/Form.tsx'
import { toast } from '../../../ui/toast.ts'
import { guardsQuery, type OwnGuards } from '../queries.ts'
import { changeFrom, shownFigure, type Typed, typedFrom, validateOwnLimits } from './limits.ts'

/** Edits the customer's own limits, which can only be lower than those of the account. */
export function LimitsForm({ guards, onDone }: { guards: OwnGuards; onDone: () => void }) {
  const { ceiling } = guards
  const form = useForm<Typed, ListName>({
    initial: () => typedFrom(guards),
    validate: (typed) => validateOwnLimits(typed, ceiling),
    submit: async (typed) => {
      const saved = await api('PATCH /api/user/guards', { body: changeFrom(typed, guards) })
      queryClient.setQueryData(guardsQuery.queryKey, saved)
      toast.success('Limits saved.')
      onDone()
    },
    failed: 'The limits could not be saved. Please try again.',
  })
  const typed = form.values

  useEffect(() => form.ref.current?.querySelector('input')?.focus(), [form.ref])

  return (
    <Form form={form} label="Change limits" className="flex flex-col gap-5">
      <LimitFields
        typed={typed}
        faults={form.errors}
        placeholderOf={({ name }) => String(ceiling[name])}
        hintOf={(figure) => `At most ${shownFigure(figure, ceiling)}`}
        allowedHint="Leave empty to call every country your account allows."
        allowable={ceiling.allowed_countries?.map(({ country_code }) => country_code) ?? null}
        onEdit={form.edit}
      />
      <Checkbox
        label="Block high-risk numbers"
        hint={
          ceiling.high_risk_allowed
            ? 'Premium-rate, satellite and other numbers often targeted by fraud.'
            : 'Premium-rate, satellite and other numbers often targeted by fraud. They are blocked for your account. Contact support if you need them.'
        }
        checked={typed.blocksHighRisk || !ceiling.high_risk_allowed}
        disabled={!ceiling.high_risk_allowed}
        onChange={(event) => form.edit({ blocksHighRisk: event.target.checked })}
      />
      <FormFeedback form={form} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={form.isBusy}>
          Save limits
        </Button>
        <Button variant="ghost" disabled={form.isBusy} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}
