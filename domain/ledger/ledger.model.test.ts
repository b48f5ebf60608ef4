import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { availableMicros, type Books, checkBooks, emptyBooks, execute, type LedgerCommand } from './index.ts'
import { history } from './test/history-arbitrary.ts'
import { NaiveLedger } from './test/naive-model.ts'

const USERS = [1, 2]
const runs = { numRuns: 2_000 }

const faultsOf = (books: Books): string[] =>
  checkBooks([...books.accounts.values()], [...books.postings.values()], [...books.holds.values()])

const replay = (commands: readonly LedgerCommand[]): Books =>
  commands.reduce((books, command) => execute(books, command)[0], emptyBooks)

const figures = (books: Books) =>
  USERS.map((userId) => {
    const account = books.accounts.get(userId)
    return [Number(account?.balanceMicros ?? 0n), Number(account?.heldMicros ?? 0n)]
  })

describe('random histories', { timeout: 60_000 }, () => {
  test('agree with the naive model step by step', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(history, (commands) => {
        const model = new NaiveLedger()
        const steps: unknown[] = []
        const stepsOfModel: unknown[] = []
        let books = emptyBooks
        for (const command of commands) {
          const [next, outcome] = execute(books, command)
          const said = outcome.ok ? (outcome.isRepeat ? 'repeat' : 'done') : 'refused'
          seen.add(`${command.kind} ${outcome.ok ? said : outcome.reason}`)
          books = next
          steps.push([said, figures(books)])
          const saidByModel = model.do(command)
          stepsOfModel.push([saidByModel, USERS.map((userId) => [model.balance(userId), model.held(userId)])])
        }
        expect(steps).toEqual(stepsOfModel)
      }),
      runs,
    )
    // Guards against histories that miss a branch.
    expect([...seen].sort()).toEqual(expect.arrayContaining(EVERY_BRANCH))
  })

  test('never produce a negative available balance, a settlement above its hold, or inconsistent books', () => {
    fc.assert(
      fc.property(history, (commands) => {
        const wrong: unknown[] = []
        let books = emptyBooks
        for (const command of commands) {
          books = execute(books, command)[0]
          for (const account of books.accounts.values())
            if (availableMicros(account) < 0n) wrong.push(account)
          for (const hold of books.holds.values())
            if (hold.settledMicros > hold.amountMicros) wrong.push(hold)
        }
        for (const posting of books.postings.values())
          if (posting.entries.reduce((total, entry) => total + entry.amountMicros, 0n) !== 0n)
            wrong.push(posting)
        expect(wrong).toEqual([])
        for (const [userId, account] of books.accounts) {
          const own = [...books.postings.values()]
            .flatMap((posting) => posting.entries)
            .filter((entry) => entry.account === `customer:${userId}`)
          expect(own.reduce((total, entry) => total + entry.amountMicros, 0n)).toBe(account.balanceMicros)
        }
        expect(faultsOf(books)).toEqual([])
      }),
      runs,
    )
  })

  test('do not change when commands are repeated, immediately or later', () => {
    fc.assert(
      fc.property(history, (commands) => {
        const once = replay(commands)
        expect(replay(commands.flatMap((command) => [command, command]))).toEqual(once)
        const money = commands.filter((command) => 'key' in command && once.fingerprints.has(command.key))
        expect(replay([...commands, ...money])).toEqual(once)
      }),
      runs,
    )
  })

  test('return the first posting for a repeat and a conflict for a reused key', () => {
    fc.assert(
      fc.property(history, (commands) => {
        let books = emptyBooks
        for (const command of commands) {
          const [next, first] = execute(books, command)
          books = next
          if (!first.ok || !('key' in command)) continue
          expect(execute(books, command)).toEqual([books, { ...first, isRepeat: true }])
          const other = { ...command, reference: `${command.reference}?` }
          expect(execute(books, other)).toEqual([books, { ok: false, reason: 'key_conflict' }])
        }
      }),
      runs,
    )
  })
})

const KINDS = [
  'top_up',
  'upgrade_purchase',
  'promo_credit',
  'adjustment',
  'refund_to_balance',
  'refund_paid_out',
]
const EVERY_BRANCH = [
  ...KINDS.flatMap((kind) =>
    ['done', 'repeat', 'key_conflict', 'amount_not_positive'].map((end) => `${kind} ${end}`),
  ),
  'adjustment insufficient_balance',
  'adjustment reason_missing',
  'refund_paid_out insufficient_balance',
  ...['done', 'repeat', 'key_conflict', 'amount_not_positive', 'insufficient_balance', 'hold_closed'].map(
    (end) => `place ${end}`,
  ),
  ...['done', 'repeat', 'amount_not_positive', 'insufficient_balance', 'hold_closed', 'unknown_hold'].map(
    (end) => `extend ${end}`,
  ),
  ...[
    'done',
    'repeat',
    'key_conflict',
    'amount_not_positive',
    'above_hold',
    'hold_closed',
    'unknown_hold',
  ].map((end) => `settle ${end}`),
  ...['done', 'repeat', 'hold_closed', 'unknown_hold'].map((end) => `release ${end}`),
]
