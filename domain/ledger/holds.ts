import { add, type Micros, subtract, ZERO } from '../money/index.ts'
import { type AccountState, availableMicros } from './accounts.ts'
import { amountFault, buildPosting, type Posting, settlementKey } from './posting.ts'

/**
 * Money reserved for a live call. A hold only reduces the available balance, so placing one writes no posting.
 * Each function matches one SQL statement of the server (README) and is idempotent.
 */
export type Hold = {
  readonly holdId: string
  readonly userId: number
  /** The first amount. It identifies a repeat of the place command, even after extensions. */
  readonly placedMicros: Micros
  readonly amountMicros: Micros
  readonly status: 'open' | 'settled' | 'released'
  readonly settledMicros: Micros
}

export type HoldRefusal =
  | 'amount_not_positive'
  | 'amount_too_large'
  | 'insufficient_balance'
  | 'above_hold'
  | 'hold_closed'
  | 'key_conflict'
  | 'unknown_hold'
  | 'wrong_account'

export type HoldResult =
  | {
      readonly ok: true
      readonly isRepeat: boolean
      readonly account: AccountState
      readonly hold: Hold
      readonly posting: Posting | null
    }
  | { readonly ok: false; readonly reason: HoldRefusal; readonly availableMicros: Micros }

type Placing = { readonly holdId: string; readonly amountMicros: Micros }

export function placeHold(account: AccountState, existing: Hold | null, placing: Placing): HoldResult {
  const { holdId, amountMicros } = placing
  if (existing) return repeatPlacing(account, existing, placing)
  const fault = amountFault(amountMicros)
  if (fault) return refuse(account, fault)
  if (amountMicros > availableMicros(account)) return refuse(account, 'insufficient_balance')
  return changed(withHeld(account, amountMicros), {
    holdId,
    userId: account.userId,
    placedMicros: amountMicros,
    amountMicros,
    status: 'open',
    settledMicros: ZERO,
  })
}

/** Refuses a closed hold: it holds no money, so the call would be free. */
function repeatPlacing(account: AccountState, existing: Hold, placing: Placing): HoldResult {
  const isSame = existing.userId === account.userId && existing.placedMicros === placing.amountMicros
  if (!isSame) return refuse(account, 'key_conflict')
  return existing.status === 'open' ? unchanged(account, existing) : refuse(account, 'hold_closed')
}

/**
 * Extends *to* a total, not *by* a slice. A repeated or delayed request asks for no more than is held and
 * changes nothing, so an extension needs no idempotency key.
 */
export function extendHold(account: AccountState, hold: Hold | null, toMicros: Micros): HoldResult {
  if (!hold) return refuse(account, 'unknown_hold')
  if (hold.userId !== account.userId) return refuse(account, 'wrong_account')
  if (hold.status !== 'open') return refuse(account, 'hold_closed')
  const fault = amountFault(toMicros)
  if (fault) return refuse(account, fault)
  if (toMicros <= hold.amountMicros) return unchanged(account, hold)
  const moreMicros = subtract(toMicros, hold.amountMicros)
  if (moreMicros > availableMicros(account)) return refuse(account, 'insufficient_balance')
  return changed(withHeld(account, moreMicros), { ...hold, amountMicros: toMicros })
}

/** Charges at most the held amount and releases the rest. A cost of zero settles without a posting. */
export function settleHold(account: AccountState, hold: Hold | null, costMicros: Micros): HoldResult {
  if (!hold) return refuse(account, 'unknown_hold')
  if (hold.userId !== account.userId) return refuse(account, 'wrong_account')
  if (hold.status === 'released') return refuse(account, 'hold_closed')
  if (hold.status === 'settled') {
    return hold.settledMicros === costMicros
      ? unchanged(account, hold, settlementOf(hold, costMicros))
      : refuse(account, 'key_conflict')
  }
  if (costMicros < ZERO) return refuse(account, 'amount_not_positive')
  if (costMicros > hold.amountMicros) return refuse(account, 'above_hold')
  const freed = withHeld(account, subtract(ZERO, hold.amountMicros))
  const charged = { ...freed, balanceMicros: subtract(freed.balanceMicros, costMicros) }
  const settled: Hold = { ...hold, status: 'settled', settledMicros: costMicros }
  return changed(charged, settled, settlementOf(hold, costMicros))
}

export function releaseHold(account: AccountState, hold: Hold | null): HoldResult {
  if (!hold) return refuse(account, 'unknown_hold')
  if (hold.userId !== account.userId) return refuse(account, 'wrong_account')
  if (hold.status === 'settled') return refuse(account, 'hold_closed')
  if (hold.status === 'released') return unchanged(account, hold)
  return changed(withHeld(account, subtract(ZERO, hold.amountMicros)), { ...hold, status: 'released' })
}

function settlementOf(hold: Hold, costMicros: Micros): Posting | null {
  if (costMicros === ZERO) return null
  const built = buildPosting({
    kind: 'call_settlement',
    key: settlementKey(hold.holdId),
    userId: hold.userId,
    amountMicros: costMicros,
    reference: hold.holdId,
  })
  if (!built.ok) throw new Error(`a settlement within its hold cannot be refused: ${built.reason}`)
  return built.posting
}

const withHeld = (account: AccountState, moreMicros: Micros): AccountState => ({
  ...account,
  heldMicros: add(account.heldMicros, moreMicros),
})

const changed = (account: AccountState, hold: Hold, posting: Posting | null = null): HoldResult => ({
  ok: true,
  isRepeat: false,
  account,
  hold,
  posting,
})

const unchanged = (account: AccountState, hold: Hold, posting: Posting | null = null): HoldResult => ({
  ok: true,
  isRepeat: true,
  account,
  hold,
  posting,
})

const refuse = (account: AccountState, reason: HoldRefusal): HoldResult => ({
  ok: false,
  reason,
  availableMicros: availableMicros(account),
})
