import type { Review } from '@trunkline/contract/admin-payments'
import { ownMessages } from '@trunkline/contract/messages'
import { formatExact, toWireNumber, ZERO } from '@trunkline/domain/money'
import { api } from '../../../app/api.ts'
import { toMicros } from '../../../common/dollars.ts'
import { formatExactMoney } from '../../../common/format/money.ts'
import { useForm } from '../../../common/forms/use-form.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { AmountField, ReasonField } from '../../MoneyFields.tsx'
import { rereadMoney } from '../../reread-money.ts'
import { type PickedUser, UserPicker } from '../../users/UserPicker.tsx'
import { typedAmount } from '../refund.ts'
import { creditWords, reviewReasons } from './words.ts'

type ResolveDialogProps = { review: Review; action: 'credit' | 'ignore'; onDone: () => void }
type Draft = { amount: string; user: PickedUser | null; reason: string }

/** Credits the money of a review item, or ignores the item. Both need a reason. */
export function ResolveDialog({ review, action, onDone }: ResolveDialogProps) {
  const isCredit = action === 'credit'
  const needsUser = isCredit && review.payment === null
  const form = useForm<Draft>({
    initial: () => ({ amount: startingAmount(review), user: null, reason: '' }),
    validate: ({ amount, user, reason }) => {
      const credited = typedAmount({ amount })
      const most = toMicros(review.creditable) ?? ZERO
      return {
        ...(needsUser && !user && { user: ownMessages.reviewNeedsUser }),
        ...(isCredit && credited === null && { amount: ownMessages.amountInvalid }),
        ...(isCredit &&
          credited !== null &&
          credited > most && { amount: `${ownMessages.moreThanWasPaid} At most ${formatExact(most)}.` }),
        ...(reason.trim() === '' && { reason: ownMessages.reasonMissing }),
      }
    },
    submit: async ({ amount, user, reason }) => {
      const credited = typedAmount({ amount })
      const { review: resolved } = await api('POST /api/admin/payment-reviews/:id/resolve', {
        params: { id: review.id },
        body: {
          action,
          ...(isCredit && credited !== null && { amount: toWireNumber(credited) }),
          ...(isCredit && user && { user_id: user.id }),
          reason,
        },
      })
      toast.success(
        isCredit
          ? `${formatExactMoney(resolved.credited)} credited to ${review.payment?.user.username ?? user?.username}.`
          : 'The item was ignored.',
      )
      onDone()
    },
    failed: 'Nothing was changed. Please try again.',
    onSettled: rereadMoney,
  })
  const { bind, edit, errors, values } = form

  return (
    <FormDialog
      form={form}
      title={isCredit ? 'Credit payment' : 'Ignore item'}
      description={reviewReasons[review.reason].title}
      label={isCredit ? 'Credit' : 'Ignore'}
      action={isCredit ? 'Credit' : 'Ignore'}
      onClose={onDone}
    >
      {needsUser && (
        <UserPicker
          label="User to credit"
          picked={values.user}
          error={errors.user}
          onPick={(user) => edit({ user })}
        />
      )}
      {isCredit ? (
        <AmountField
          {...bind('amount')}
          error={errors.amount}
          hint={`At most ${formatExactMoney(review.creditable)}. ${creditWords(review)}`}
        />
      ) : (
        <p className="text-sm">
          No money moves. The item leaves the list with your reason, and returns if more money arrives for it.
        </p>
      )}
      <ReasonField {...bind('reason')} error={errors.reason} hint="Recorded permanently in the audit log." />
    </FormDialog>
  )
}

/** Empty if the provider did not report the amount. */
function startingAmount({ creditable, payment, amount }: Review): string {
  return payment === null && amount === null ? '' : formatExact(toMicros(creditable) ?? ZERO).slice(1)
}
