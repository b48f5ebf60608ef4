import fc from 'fast-check'
import { micros } from '../../money/index.ts'
import type { LedgerCommand } from '../books.ts'

/**
 * Random histories with few users, few keys and small amounts. They often produce low balances, reused keys,
 * repeats, and repeats with one amount changed.
 */
const amount = fc.integer({ min: 1, max: 60 }).map((count) => micros(BigInt(count)))
const notPositive = fc.constantFrom(0n, -1n).map((count) => micros(count))
const anyAmount = fc.oneof({ weight: 12, arbitrary: amount }, { weight: 1, arbitrary: notPositive })
const userId = fc.constantFrom(1, 2)
const key = fc.integer({ min: 0, max: 200 }).map((n) => `key-${n}`)
const holdId = fc.integer({ min: 0, max: 3 }).map((n) => `call-${n}`)
const base = {
  key,
  userId,
  amountMicros: fc.oneof({ weight: 9, arbitrary: amount }, { weight: 1, arbitrary: notPositive }),
}
const reference = fc.constantFrom('order-1', 'order-2')
const common = { ...base, reference }

const credit = fc.record({
  kind: fc.constantFrom('upgrade_purchase' as const, 'promo_credit' as const, 'refund_to_balance' as const),
  ...common,
})
const adjustment = fc.record({
  kind: fc.constant('adjustment' as const),
  ...common,
  direction: fc.constantFrom('credit' as const, 'debit' as const),
  reason: fc.constantFrom('goodwill', 'mistake', ''),
})
const payout = fc.record({
  kind: fc.constant('refund_paid_out' as const),
  ...common,
  takenFrom: fc.constantFrom('balance' as const, 'house' as const),
})

const command: fc.Arbitrary<LedgerCommand> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('top_up' as const), ...common }) },
  { weight: 3, arbitrary: credit },
  { weight: 2, arbitrary: adjustment },
  { weight: 2, arbitrary: payout },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('place' as const), holdId, userId, amountMicros: anyAmount }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('extend' as const), holdId, toMicros: anyAmount }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), holdId, costMicros: anyAmount }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), holdId }) },
)

type Step = { fresh: LedgerCommand } | { repeat: number } | { alter: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: command.map((fresh) => ({ fresh })) },
  { weight: 2, arbitrary: fc.nat().map((repeat) => ({ repeat })) },
  { weight: 1, arbitrary: fc.nat().map((alter) => ({ alter })) },
)

export const history: fc.Arbitrary<LedgerCommand[]> = fc
  .array(step, { minLength: 10, maxLength: 60, size: 'max' })
  .map(unfold)

function unfold(steps: Step[]): LedgerCommand[] {
  const commands: LedgerCommand[] = []
  for (const next of steps) {
    const pick = 'fresh' in next ? 0 : 'repeat' in next ? next.repeat : next.alter
    const earlier = commands[pick % (commands.length || 1)]
    if ('fresh' in next) commands.push(next.fresh)
    else if (earlier) commands.push('repeat' in next ? earlier : altered(earlier))
  }
  return commands
}

/** The same key with another amount. */
function altered(command: LedgerCommand): LedgerCommand {
  if (command.kind === 'extend') return { ...command, toMicros: micros(command.toMicros + 1n) }
  if (command.kind === 'settle') return { ...command, costMicros: micros(command.costMicros + 1n) }
  if (command.kind === 'release') return command
  return { ...command, amountMicros: micros(command.amountMicros + 1n) }
}
