import { ownMessages } from '@trunkline/contract/messages'
import { add, type Micros, micros, negate, subtract, ZERO } from '@trunkline/domain/money'
import { toMicros } from '../../common/dollars.ts'
import type { FieldErrors } from '../../common/forms/use-form.ts'

export type AdjustmentDraft = { direction: 'credit' | 'debit'; amount: string; reason: string }

type AdjustmentErrors = FieldErrors<'amount' | 'reason'>

type Funds = { balance: number; held: number }

/** Positive for a credit, negative for a debit; null without a valid amount. */
export function signedAmount({ direction, amount }: AdjustmentDraft): Micros | null {
  const typed = amount.trim() === '' ? null : toMicros(Number(amount))
  if (typed === null || typed <= ZERO) return null
  return direction === 'credit' ? typed : negate(typed)
}

export const balanceAfter = (draft: AdjustmentDraft, { balance }: Funds): Micros | null => {
  const signed = signedAmount(draft)
  return signed === null ? null : add(toMicros(balance) ?? ZERO, signed)
}

/** The server checks again: a call may spend the money in the meantime. */
export function validateAdjustment(draft: AdjustmentDraft, { balance, held }: Funds): AdjustmentErrors {
  const errors: AdjustmentErrors = {}
  const signed = signedAmount(draft)
  const available = subtract(toMicros(balance) ?? ZERO, toMicros(held) ?? ZERO)
  if (signed === null) errors.amount = ownMessages.amountInvalid
  else if (micros(available + signed) < ZERO) errors.amount = ownMessages.insufficientBalance
  if (draft.reason.trim() === '') errors.reason = ownMessages.reasonMissing
  return errors
}
