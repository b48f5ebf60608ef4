import type { AdminPayment } from '@trunkline/contract/admin-payments'
import { ownMessages } from '@trunkline/contract/messages'
import { formatDollars, larger, type Micros, micros, smaller, subtract, ZERO } from '@trunkline/domain/money'
import { inDollars, toMicros } from '../../common/dollars.ts'
import type { FieldErrors } from '../../common/forms/use-form.ts'

/** What is typed into the dialog. */
export type RefundDraft = { amount: string; to: 'balance' | 'paid_out'; reference: string; reason: string }
type RefundErrors = FieldErrors<'amount' | 'reference' | 'reason'>

type Paid = Pick<AdminPayment, 'paid' | 'credited' | 'refunded'>

const inMicros = (amount: number): Micros => toMicros(amount) ?? ZERO

/** The most that can still be given back. */
export const leftToRefund = ({ paid, refunded }: Pick<Paid, 'paid' | 'refunded'>): Micros =>
  subtract(inMicros(paid), inMicros(refunded))

export const isRefundable = (payment: Pick<Paid, 'paid' | 'refunded'>): boolean =>
  leftToRefund(payment) > ZERO

/** Null while no amount is typed that could be given back. */
export function typedAmount(draft: Pick<RefundDraft, 'amount'>): Micros | null {
  const typed = draft.amount.trim() === '' ? null : toMicros(Number(draft.amount))
  return typed === null || typed <= ZERO ? null : typed
}

/** Paid out: what never reached the balance, as the price of an upgrade, comes from the house; the rest leaves the balance. */
export function sharesOf(payment: Paid, amount: Micros): { fromHouse: Micros; fromBalance: Micros } {
  const kept = micros(inMicros(payment.paid) - inMicros(payment.credited) - inMicros(payment.refunded))
  const fromHouse = smaller(amount, larger(kept, ZERO))
  return { fromHouse, fromBalance: subtract(amount, fromHouse) }
}

/** The server has the last word: somebody else may have refunded, a call may have spent the money meanwhile. */
export function validateRefund(
  draft: RefundDraft,
  payment: Paid,
  available: number | undefined,
): RefundErrors {
  const errors: RefundErrors = {}
  const amount = typedAmount(draft)
  if (amount === null) errors.amount = ownMessages.amountInvalid
  else if (amount > leftToRefund(payment))
    errors.amount = `${ownMessages.moreThanWasPaid} At most ${formatDollars(leftToRefund(payment))} is left.`
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

/** What pressing the button does, a sentence for each thing. */
export function consequences(
  { to }: Pick<RefundDraft, 'to'>,
  payment: Paid & Pick<AdminPayment, 'user' | 'kind' | 'bonus' | 'promo_code'>,
  amount: Micros,
): string[] {
  const { username } = payment.user
  const { fromHouse, fromBalance } = sharesOf(payment, amount)
  const told =
    to === 'balance'
      ? [
          `The balance of ${username} rises by ${formatDollars(amount)}, a credit out of the house's own pocket.`,
          'What the payment brought in stays where it is: use this where its worth was lost, not to undo it.',
        ]
      : [
          ...(fromBalance > ZERO
            ? [`${formatDollars(fromBalance)} leaves the balance of ${username} again.`]
            : []),
          ...(fromHouse > ZERO
            ? [`${formatDollars(fromHouse)} comes from the house: it never was on the balance.`]
            : []),
          'No money is sent from here: you have returned it outside, and this is the record of it.',
        ]
  if (payment.bonus > 0 && payment.kind === 'topup')
    told.push(`The bonus of ${inDollars(payment.bonus)} from ${payment.promo_code} stays on the balance.`)
  if (payment.kind === 'upgrade') told.push('Premium stays: taking it is a decision of its own.')
  return told
}
