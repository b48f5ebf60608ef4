import type { AdminPayment } from '@trunkline/contract/admin-payments'
import { ownMessages } from '@trunkline/contract/messages'
import { formatDollars, larger, type Micros, micros, smaller, subtract, ZERO } from '@trunkline/domain/money'
import { refundLimit } from '@trunkline/domain/payments'
import { toMicros } from '../../common/dollars.ts'
import { formatMoney } from '../../common/format/money.ts'
import type { FieldErrors } from '../../common/forms/use-form.ts'

export type RefundDraft = { amount: string; to: 'balance' | 'paid_out'; reference: string; reason: string }
type RefundErrors = FieldErrors<'amount' | 'reference' | 'reason'>

type Paid = Pick<AdminPayment, 'paid' | 'received' | 'credited' | 'refunded'>

const inMicros = (amount: number): Micros => toMicros(amount) ?? ZERO

export function leftToRefund(
  { paid, received, refunded }: Pick<Paid, 'paid' | 'received' | 'refunded'>,
  to: RefundDraft['to'],
): Micros {
  const limit = refundLimit(inMicros(paid), received === null ? null : inMicros(received), to)
  return larger(subtract(limit, inMicros(refunded)), ZERO)
}

export const isRefundable = ({ paid, refunded }: Pick<Paid, 'paid' | 'refunded'>): boolean => paid > refunded

/** Null without a valid amount. */
export function typedAmount(draft: Pick<RefundDraft, 'amount'>): Micros | null {
  const typed = draft.amount.trim() === '' ? null : toMicros(Number(draft.amount))
  return typed === null || typed <= ZERO ? null : typed
}

/** An external refund takes the credited part from the balance. The rest, for example the price of an upgrade, is our expense. */
export function sharesOf(payment: Paid, amount: Micros): { fromHouse: Micros; fromBalance: Micros } {
  const kept = micros(inMicros(payment.paid) - inMicros(payment.credited) - inMicros(payment.refunded))
  const fromHouse = smaller(amount, larger(kept, ZERO))
  return { fromHouse, fromBalance: subtract(amount, fromHouse) }
}

/** The server checks again: the money may be refunded or spent in the meantime. */
export function validateRefund(
  draft: RefundDraft,
  payment: Paid,
  available: number | undefined,
): RefundErrors {
  const errors: RefundErrors = {}
  const amount = typedAmount(draft)
  const left = leftToRefund(payment, draft.to)
  if (amount === null) errors.amount = ownMessages.amountInvalid
  else if (amount > left)
    errors.amount = `${ownMessages.moreThanWasPaid} At most ${formatDollars(left)} is left.`
  else if (isBeyond(draft, payment, amount, available)) errors.amount = ownMessages.insufficientBalance
  if (draft.to === 'paid_out' && draft.reference.trim() === '')
    errors.reference = ownMessages.referenceMissing
  if (draft.reason.trim() === '') errors.reason = ownMessages.reasonMissing
  return errors
}

const isBeyond = (
  { to }: RefundDraft,
  payment: Paid,
  amount: Micros,
  available: number | undefined,
): boolean =>
  to === 'paid_out' && available !== undefined && sharesOf(payment, amount).fromBalance > inMicros(available)

export function consequences(
  { to }: Pick<RefundDraft, 'to'>,
  payment: Paid & Pick<AdminPayment, 'user' | 'kind' | 'bonus' | 'promo_code'>,
  amount: Micros,
): string[] {
  const { username } = payment.user
  const { fromHouse, fromBalance } = sharesOf(payment, amount)
  const notices =
    to === 'balance'
      ? [
          `The balance of ${username} increases by ${formatDollars(amount)}, at our expense.`,
          'The payment itself stays booked. Use this to compensate a customer, not to undo a payment.',
        ]
      : [
          ...(fromBalance > ZERO
            ? [`${formatDollars(fromBalance)} is deducted from the balance of ${username}.`]
            : []),
          ...(fromHouse > ZERO
            ? [`${formatDollars(fromHouse)} is at our expense: it never was on the balance.`]
            : []),
          'No money is sent from here. This records a refund that you have made externally.',
        ]
  if (payment.bonus > 0 && payment.kind === 'topup')
    notices.push(
      `The bonus of ${formatMoney(payment.bonus)} from ${payment.promo_code} stays on the balance.`,
    )
  if (payment.kind === 'upgrade')
    notices.push('Premium stays active. You can remove it on the page of the user.')
  return notices
}
