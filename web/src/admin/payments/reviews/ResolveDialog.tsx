import type { Review } from '@trunkline/contract/admin-payments'
import { ownMessages } from '@trunkline/contract/messages'
import { formatExact, toWireNumber, ZERO } from '@trunkline/domain/money'
import { useRef, useState } from 'react'
import { api, explain } from '../../../app/api.ts'
import { toMicros } from '../../../common/dollars.ts'
import { exactDollars } from '../../../common/prices.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { focusFault } from '../../../ui/focus-fault.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { AmountField, ReasonField } from '../../MoneyFields.tsx'
import { rereadMoney } from '../../reread-money.ts'
import { type PickedUser, UserPicker } from '../../users/UserPicker.tsx'
import { typedAmount } from '../refund.ts'
import { reviewReasons } from './words.ts'

type ResolveDialogProps = { review: Review; action: 'credit' | 'ignore'; onDone: () => void }
type Faults = Partial<Record<'user' | 'amount' | 'reason', string>>

/** Books the money of an item, or lays the item aside; either way with a reason that stays. */
export function ResolveDialog({ review, action, onDone }: ResolveDialogProps) {
  const isCredit = action === 'credit'
  const isNobodys = review.payment === null
  const [amount, setAmount] = useState(() => startingAmount(review))
  const [user, setUser] = useState<PickedUser | null>(null)
  const [reason, setReason] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const fields = useRef<HTMLFormElement>(null)

  function faultsIn(): Faults {
    const typed = typedAmount({ amount })
    const most = toMicros(review.creditable) ?? ZERO
    return {
      ...(isCredit && isNobodys && !user && { user: ownMessages.reviewNeedsUser }),
      ...(isCredit && typed === null && { amount: ownMessages.amountInvalid }),
      ...(isCredit &&
        typed !== null &&
        typed > most && { amount: `${ownMessages.moreThanWasPaid} At most ${formatExact(most)}.` }),
      ...(reason.trim() === '' && { reason: ownMessages.reasonMissing }),
    }
  }

  async function submit() {
    const found = faultsIn()
    setFaults(found)
    if (focusFault(fields.current, found)) return
    if (isBusy) return
    setBusy(true)
    const typed = typedAmount({ amount })
    try {
      const { review: resolved } = await api('POST /api/admin/payment-reviews/:id/resolve', {
        params: { id: review.id },
        body: {
          action,
          ...(isCredit && typed !== null && { amount: toWireNumber(typed) }),
          ...(isCredit && user && { user_id: user.id }),
          reason,
        },
      })
      toast.success(
        isCredit
          ? `${exactDollars(resolved.credited)} credited to ${review.payment?.user.username ?? user?.username}.`
          : 'The item was laid aside.',
      )
      onDone()
    } catch (error) {
      setRefusal(explain(error, 'Nothing was changed. Please try again.'))
      setBusy(false)
    }
    void rereadMoney()
  }

  return (
    <FormDialog
      title={isCredit ? 'Credit this money' : 'Ignore this item'}
      description={reviewReasons[review.reason].title}
      label={isCredit ? 'Credit' : 'Ignore'}
      action={isCredit ? 'Credit' : 'Ignore'}
      isBusy={isBusy}
      ref={fields}
      onSubmit={() => void submit()}
      onClose={onDone}
    >
      {isCredit && isNobodys && (
        <UserPicker
          label="Whose money it is"
          picked={user}
          error={faults.user}
          onPick={(picked) => {
            setUser(picked)
            setFaults({})
          }}
        />
      )}
      {isCredit && (
        <AmountField
          value={amount}
          error={faults.amount}
          hint={`At most ${exactDollars(review.creditable)}. ${creditWords(review)}`}
          onChange={(typed) => {
            setAmount(typed)
            setFaults({})
          }}
        />
      )}
      {!isCredit && (
        <p className="text-sm">
          No money moves. The item leaves the list with your reason, and comes back by itself if more money
          arrives for it.
        </p>
      )}
      <ReasonField
        value={reason}
        error={faults.reason}
        hint="Stands in the audit log for good."
        onChange={(typed) => {
          setReason(typed)
          setFaults({})
        }}
      />
      {refusal && <Notice tone="danger">{refusal}</Notice>}
    </FormDialog>
  )
}

/** Where the provider did not tell how much came, the administrator has to. */
function startingAmount({ creditable, payment, amount }: Review): string {
  return payment === null && amount === null ? '' : formatExact(toMicros(creditable) ?? ZERO).slice(1)
}

function creditWords({ payment, reason }: Review): string {
  if (reason === 'late' && payment?.kind === 'upgrade' && payment.paid === 0)
    return 'The whole price makes the customer premium; less than that goes to the balance.'
  if (reason === 'late' && payment && payment.paid === 0)
    return 'The whole amount brings a promised bonus along.'
  return 'It goes to the balance.'
}
