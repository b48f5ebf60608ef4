import { ownMessages } from '@trunkline/contract/messages'
import { add, type Micros, micros, negate, subtract, ZERO } from '@trunkline/domain/money'
import { toMicros } from '../../common/dollars.ts'
import type { FieldErrors } from '../../common/forms/use-form.ts'

/** What is typed into the dialog. */
export type AdjustmentDraft = { direction: 'credit' | 'debit'; amount: string; reason: string }

type AdjustmentErrors = FieldErrors<'amount' | 'reason'>

type Funds = { balance: number; held: number }

/** Above zero gives, below zero takes; null while no amount is typed that could be moved. */
export function signedAmount({ direction, amount }: AdjustmentDraft): Micros | null {
  const typed = amount.trim() === '' ? null : toMicros(Number(amount))
  if (typed === null || typed <= ZERO) return null
  return direction === 'credit' ? typed : negate(typed)
}

export const balanceAfter = (draft: AdjustmentDraft, { balance }: Funds): Micros | null => {
  const signed = signedAmount(draft)
  return signed === null ? null : add(toMicros(balance) ?? ZERO, signed)
}

/** The server has the last word: a call may have spent the money meanwhile. */
export function validateAdjustment(draft: AdjustmentDraft, { balance, held }: Funds): AdjustmentErrors {
  const errors: AdjustmentErrors = {}
  const signed = signedAmount(draft)
  const available = subtract(toMicros(balance) ?? ZERO, toMicros(held) ?? ZERO)
  if (signed === null) errors.amount = ownMessages.amountInvalid
  else if (micros(available + signed) < ZERO) errors.amount = ownMessages.insufficientBalance
  if (draft.reason.trim() === '') errors.reason = ownMessages.reasonMissing
  return errors
}
