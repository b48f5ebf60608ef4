import { type Micros, negate, sum, WIRE_LIMIT_MICROS, ZERO } from '../money/index.ts'
import { type Account, customerAccount } from './accounts.ts'
import type { MoneyCommand, PostingCommand, PostingKind } from './commands.ts'

export type Entry = { readonly account: Account; readonly amountMicros: Micros }

export type Posting = {
  readonly key: string
  readonly kind: PostingKind
  readonly userId: number
  readonly reference: string
  readonly reason: string | null
  readonly entries: readonly Entry[]
}

export type PostRefusal =
  | 'key_missing'
  | 'reference_missing'
  | 'reason_missing'
  | 'reserved_key'
  | 'amount_not_positive'
  | 'amount_too_large'
  | 'unbalanced'

export type PostResult =
  | { readonly ok: true; readonly posting: Posting }
  | { readonly ok: false; readonly reason: PostRefusal }

const SETTLEMENT_PREFIX = 'settle:'
export const settlementKey = (holdId: string): string => `${SETTLEMENT_PREFIX}${holdId}`

/** A positive entry is a gain of the account. For a customer it is money we owe them. */
export function movement(command: PostingCommand): { from: Account; to: Account } {
  const customer = customerAccount(command.userId)
  switch (command.kind) {
    case 'top_up':
      return { from: 'payment_clearing', to: customer }
    case 'upgrade_purchase':
      return { from: 'payment_clearing', to: 'upgrade_revenue' }
    case 'promo_credit':
      return { from: 'promotions', to: customer }
    case 'adjustment':
      return command.direction === 'credit'
        ? { from: 'adjustments', to: customer }
        : { from: customer, to: 'adjustments' }
    case 'refund_to_balance':
      return { from: 'refunds', to: customer }
    case 'refund_paid_out':
      return { from: command.takenFrom === 'balance' ? customer : 'refunds', to: 'payment_clearing' }
    case 'number_rent':
      return { from: customer, to: 'number_revenue' }
    case 'recording':
      return { from: customer, to: 'recording_revenue' }
    case 'call_settlement':
      return { from: customer, to: 'call_revenue' }
  }
}

export function post(command: MoneyCommand): PostResult {
  if (command.key.startsWith(SETTLEMENT_PREFIX)) return { ok: false, reason: 'reserved_key' }
  return buildPosting(command)
}

/** Not exported from the package. Only `post` and `settleHold` create postings. */
export function buildPosting(command: PostingCommand): PostResult {
  const fault = faultOf(command)
  if (fault) return { ok: false, reason: fault }
  const { from, to } = movement(command)
  return balanced({
    key: command.key,
    kind: command.kind,
    userId: command.userId,
    reference: command.reference,
    reason: command.kind === 'adjustment' ? command.reason.trim() : null,
    entries: [
      { account: from, amountMicros: negate(command.amountMicros) },
      { account: to, amountMicros: command.amountMicros },
    ],
  })
}

/** Final check for every kind of posting: entries sum to zero and none is zero. */
export function balanced(posting: Posting): PostResult {
  const { entries } = posting
  if (entries.length < 2 || sum(entries.map((entry) => entry.amountMicros)) !== ZERO) {
    return { ok: false, reason: 'unbalanced' }
  }
  if (entries.some((entry) => entry.amountMicros === ZERO)) {
    return { ok: false, reason: 'amount_not_positive' }
  }
  const frozen = Object.freeze(entries.map((entry) => Object.freeze({ ...entry })))
  return { ok: true, posting: Object.freeze({ ...posting, entries: frozen }) }
}

function faultOf(command: PostingCommand): PostRefusal | null {
  if (command.key.trim() === '') return 'key_missing'
  if (command.reference.trim() === '') return 'reference_missing'
  if (command.kind === 'adjustment' && command.reason.trim() === '') return 'reason_missing'
  return amountFault(command.amountMicros)
}

export function amountFault(amountMicros: Micros): 'amount_not_positive' | 'amount_too_large' | null {
  if (amountMicros <= ZERO) return 'amount_not_positive'
  return amountMicros >= WIRE_LIMIT_MICROS ? 'amount_too_large' : null
}
