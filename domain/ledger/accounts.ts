import { type Micros, subtract, ZERO } from '../money/index.ts'

/** Accounts of the provider. Their balances are sums over entries, because a row would serialize all calls on its lock. */
export const INTERNAL_ACCOUNTS = [
  'call_revenue',
  'upgrade_revenue',
  'number_revenue',
  'recording_revenue',
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
