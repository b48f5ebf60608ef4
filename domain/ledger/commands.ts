import type { Micros } from '../money/index.ts'

type Command<Kind extends string, More = unknown> = {
  readonly kind: Kind
  /** Idempotency key. */
  readonly key: string
  readonly userId: number
  readonly amountMicros: Micros
  /** An order id, promo code, payment, call, recording, or number with its period. */
  readonly reference: string
} & More

/** Commands that `post` accepts. Only `settleHold` creates settlements. */
export type MoneyCommand =
  | Command<'top_up'>
  | Command<'upgrade_purchase'>
  | Command<'promo_credit'>
  | Command<'adjustment', { readonly direction: 'credit' | 'debit'; readonly reason: string }>
  | Command<'refund_to_balance'>
  /** `balance`: refunds a top-up and takes its credit back. `house`: refunds an upgrade, which was never credited. */
  | Command<'refund_paid_out', { readonly takenFrom: 'balance' | 'house' }>
  /** The set-up fee or a period of a rented number. */
  | Command<'number_rent'>
  /** The price of a recorded call, booked after it has ended. */
  | Command<'recording'>

type SettlementCommand = Command<'call_settlement'>
export type PostingCommand = MoneyCommand | SettlementCommand
export type PostingKind = PostingCommand['kind']
