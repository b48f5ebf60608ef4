import type { AnswerOf } from '@trunkline/contract'
import { formatDollars, toWireNumber, ZERO } from '@trunkline/domain/money'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { formatMoney, formatRest, formatTaken } from '../../common/format/money.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { newRequestKey } from '../../common/request-key.ts'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'
import { AmountField, ReasonField } from '../MoneyFields.tsx'
import { type AdjustmentDraft, balanceAfter, signedAmount, validateAdjustment } from './adjustment.ts'

type Adjusted = AnswerOf<'POST /api/admin/balance-adjustments'>

type AdjustDialogProps = {
  user: { id: number; username: string; balance: number; held: number }
  /** With the new balance after an adjustment, without it after Cancel. */
  onDone: (adjusted?: Adjusted) => void
}

/** Adds to or subtracts from a balance, with a reason for the audit log. */
export function AdjustDialog({ user, onDone }: AdjustDialogProps) {
  // One key for all attempts: a repeated request is booked once.
  const [requestKey] = useState(newRequestKey)
  const form = useForm<AdjustmentDraft>({
    initial: { direction: 'credit', amount: '', reason: '' },
    validate: (draft) => validateAdjustment(draft, user),
    submit: async (draft) => {
      const adjusted = await api('POST /api/admin/balance-adjustments', {
        body: {
          user_id: user.id,
          amount: toWireNumber(signedAmount(draft) ?? ZERO),
          reason: draft.reason,
          request_key: requestKey,
        },
      })
      toast.success(`The balance of ${user.username} is now ${formatMoney(adjusted.balance)}.`)
      onDone(adjusted)
    },
    failed: 'The balance could not be adjusted. You can safely try again: it is booked only once.',
  })
  const { bind, errors, values } = form

  return (
    <FormDialog
      form={form}
      title={`Adjust the balance of ${user.username}`}
      description="Booked immediately and recorded in the audit log with your name and reason. Correct a mistake with another adjustment."
      label="Balance adjustment"
      action={values.direction === 'credit' ? 'Credit balance' : 'Debit balance'}
      onClose={() => onDone()}
    >
      <Funds user={user} />
      <div className="grid grid-cols-[9rem_minmax(0,1fr)] gap-3">
        <Field label="Direction">
          <Select {...bind('direction')}>
            <option value="credit">Credit (+)</option>
            <option value="debit">Debit (−)</option>
          </Select>
        </Field>
        <AmountField {...bind('amount')} error={errors.amount} />
      </div>
      <After draft={values} user={user} />
      <ReasonField {...bind('reason')} error={errors.reason} />
    </FormDialog>
  )
}

const Funds = ({ user: { balance, held } }: Pick<AdjustDialogProps, 'user'>) => (
  <dl className="figures flex flex-wrap gap-x-8 gap-y-2">
    <Figure name="Balance" value={formatMoney(balance)} />
    {held > 0 && <Figure name="Held for live calls" value={formatTaken(balance, held)} />}
    {held > 0 && <Figure name="Available" value={formatRest(balance, held)} />}
  </dl>
)

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="text-muted text-sm">{name}</dt>
    <dd className="font-semibold text-lg">{value}</dd>
  </div>
)

function After({ draft, user }: { draft: AdjustmentDraft; user: AdjustDialogProps['user'] }) {
  const after = balanceAfter(draft, user)
  return (
    <p className="figures text-sm" aria-live="polite">
      <span className="text-muted">New balance: </span>
      <strong className="font-semibold">{after === null ? '–' : formatDollars(after)}</strong>
    </p>
  )
}
