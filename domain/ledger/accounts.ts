import { add, type Micros, subtract, sum, ZERO } from '../money/index.ts'
import type { Posting } from './posting.ts'

/** Where money of the house is booked. Their balances are sums over entries, never a row that calls queue for. */
export const HOUSE_ACCOUNTS = [
  'call_revenue',
  'upgrade_revenue',
  'payment_clearing',
  'promotions',
  'adjustments',
  'refunds',
] as const

export type HouseAccount = (typeof HOUSE_ACCOUNTS)[number]
export type CustomerAccount = `customer:${number}`
export type Account = CustomerAccount | HouseAccount

export const customerAccount = (userId: number): CustomerAccount => `customer:${userId}`

/** A customer's row: all the money that is theirs, and how much of it open holds have set aside. */
export type AccountState = {
  readonly userId: number
  readonly balanceMicros: Micros
  readonly heldMicros: Micros
}

export const emptyAccount = (userId: number): AccountState => ({
  userId,
  balanceMicros: ZERO,
  heldMicros: ZERO,
})

export const availableMicros = (account: AccountState): Micros =>
  subtract(account.balanceMicros, account.heldMicros)

/** What a posting does to one customer; zero where they are not part of it (an upgrade paid from outside). */
export const effectOn = (userId: number, posting: Posting): Micros =>
  sum(
    posting.entries
      .filter((entry) => entry.account === customerAccount(userId))
      .map((entry) => entry.amountMicros),
  )

export type ApplyResult =
  | { readonly ok: true; readonly account: AccountState }
  | { readonly ok: false; readonly reason: 'insufficient_balance'; readonly availableMicros: Micros }

/** Held money is spoken for: a debit may take what is available, never what a live call was promised. */
export function applyPosting(account: AccountState, posting: Posting): ApplyResult {
  const effect = effectOn(account.userId, posting)
  const available = availableMicros(account)
  if (available + effect < ZERO) {
    return { ok: false, reason: 'insufficient_balance', availableMicros: available }
  }
  return { ok: true, account: { ...account, balanceMicros: add(account.balanceMicros, effect) } }
}
