import { add, type Micros, subtract, sum, ZERO } from '../money/index.ts'
import type { Posting } from './posting.ts'

/** Accounts of the provider. Their balances are sums over entries, because a row would serialize all calls on its lock. */
export const INTERNAL_ACCOUNTS = [
  'call_revenue',
  'upgrade_revenue',
  'payment_clearing',
  'promotions',
  'adjustments',
  'refunds',
] as const

export type InternalAccount = (typeof INTERNAL_ACCOUNTS)[number]
export type CustomerAccount = `customer:${number}`
export type Account = CustomerAccount | InternalAccount

export const customerAccount = (userId: number): CustomerAccount => `customer:${userId}`

/** A customer's row. `heldMicros` is the sum of the open holds and part of the balance. */
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

/** The change of one customer's balance. Zero if no entry names them, as for an upgrade purchase. */
export const effectOn = (userId: number, posting: Posting): Micros =>
  sum(
    posting.entries
      .filter((entry) => entry.account === customerAccount(userId))
      .map((entry) => entry.amountMicros),
  )

export type ApplyResult =
  | { readonly ok: true; readonly account: AccountState }
  | { readonly ok: false; readonly reason: 'insufficient_balance'; readonly availableMicros: Micros }

/** A debit is limited to the available balance. It never takes money that is held for a live call. */
export function applyPosting(account: AccountState, posting: Posting): ApplyResult {
  const effect = effectOn(account.userId, posting)
  const available = availableMicros(account)
  if (available + effect < ZERO) {
    return { ok: false, reason: 'insufficient_balance', availableMicros: available }
  }
  return { ok: true, account: { ...account, balanceMicros: add(account.balanceMicros, effect) } }
}
