import { add, type Micros, sum, ZERO } from '../money/index.ts'
import { type AccountState, availableMicros, customerAccount } from './accounts.ts'
import type { Posting } from './posting.ts'

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
