import type { Micros } from '../money/index.ts'

type Command<Kind extends string, More = unknown> = {
  readonly kind: Kind
  /** Doing it twice under one key is doing it once. */
  readonly key: string
  readonly userId: number
  readonly amountMicros: Micros
  /** What it was for: an order id, a promo code, a payment, a call. */
  readonly reference: string
} & More

/** What anybody may ask the ledger to post. Settlements are not among them: only `settleHold` makes those. */
export type MoneyCommand =
  | Command<'top_up'>
  | Command<'upgrade_purchase'>
  | Command<'promo_credit'>
  | Command<'adjustment', { readonly direction: 'credit' | 'debit'; readonly reason: string }>
  | Command<'refund_to_balance'>
  /** `takenFrom` balance: a top-up goes back, so its credit does too. House: it was never credited (an upgrade). */
  | Command<'refund_paid_out', { readonly takenFrom: 'balance' | 'house' }>

type SettlementCommand = Command<'call_settlement'>
export type PostingCommand = MoneyCommand | SettlementCommand
export type PostingKind = PostingCommand['kind']
