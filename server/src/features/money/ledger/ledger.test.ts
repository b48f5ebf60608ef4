import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Books, emptyBooks, execute, type LedgerCommand } from '@trunkline/domain/ledger'
import { cents, dollars, micros } from '@trunkline/domain/money'
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { history } from '../../../../../domain/ledger/test/history-arbitrary.ts'
import { createTestDatabase } from '../../../../test/database.ts'
import {
  carryOut,
  createTestLedger,
  faultsOf,
  systemOwner,
  withSingleHolds,
} from '../../../../test/ledger.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { migrate } from '../../../platform/migrate.ts'
import type { Ledger } from './service.ts'

const buyUpgrade = (ledger: Ledger, userId: number) =>
  ledger.post(systemOwner, {
    kind: 'upgrade_purchase',
    key: 'up',
    userId,
    amountMicros: dollars(150),
    reference: 'UPGRADE',
  })

describe('the ledger in SQL', () => {
  it('matches the in-memory ledger step by step', { timeout: 120_000 }, async () => {
    const { db, ledger, books, newUser } = await createTestLedger()
    const seen = new Set<string>()
    let run = 0
    await fc.assert(
      fc.asyncProperty(history, async (commands) => {
        const id = ++run
        const users = [await newUser(), await newUser()]
        const moves = id % 2 ? ledger : ledger.within(db)
        let reference: Books = emptyBooks
        for (const original of commands) {
          const command = inRun(id, users, original)
          const [next, expected] = execute(reference, command)
          const outcome = await carryOut(moves, command)
          seen.add(
            `${command.kind} ${expected.ok ? (expected.isRepeat ? 'repeat' : 'done') : expected.reason}`,
          )
          expect(briefly(outcome)).toEqual(briefly(expected))
          reference = next
        }
        for (const userId of users) {
          const account = reference.accounts.get(userId)
          expect(await ledger.balanceOf(systemOwner, userId)).toEqual({
            balanceMicros: account?.balanceMicros ?? 0n,
            heldMicros: account?.heldMicros ?? 0n,
          })
        }
      }),
      // Random histories do not always reach the rare paths. The first example covers all of them.
      { numRuns: 60, examples: [[EVERY_PATH]] },
    )
    expect(faultsOf(await books.check())).toEqual([])
    expect([...seen]).toEqual(expect.arrayContaining(RARE_PATHS))
  })

  it('answers a repeat with the first posting, even hours later', async () => {
    const { ledger, clock, newUser } = await createTestLedger()
    const command = {
      ...({ kind: 'promo_credit', key: 'promo 1', reference: 'WELCOME' } as const),
      userId: await newUser(),
      amountMicros: dollars(5),
    }
    const first = await ledger.post(systemOwner, command)
    clock.advance(7_200_000)
    expect(await ledger.post(systemOwner, command)).toEqual({ ...first, isRepeat: true })
  })

  it('places, extends, settles and releases for one call', async () => {
    const { ledger, newUser } = await createTestLedger()
    const userId = await newUser(dollars(1))
    const holdId = 'call'
    await ledger.placeHold(systemOwner, { holdId, userId, amountMicros: cents(20) })
    expect(await ledger.balanceOf(systemOwner, userId)).toEqual({
      balanceMicros: dollars(1),
      heldMicros: cents(20),
    })
    await ledger.extendHold(systemOwner, { holdId, toMicros: cents(50) })
    expect((await ledger.balanceOf(systemOwner, userId)).heldMicros).toBe(cents(50))
    const settled = await ledger.settleHold(systemOwner, { holdId, costMicros: cents(31) })
    expect(settled).toMatchObject({
      ok: true,
      isRepeat: false,
      hold: { status: 'settled', settledMicros: cents(31) },
      posting: { key: 'settle:call', kind: 'call_settlement' },
    })
    expect(await ledger.balanceOf(systemOwner, userId)).toEqual({ balanceMicros: cents(69), heldMicros: 0n })
  })

  it('posts and holds in the caller’s transaction', async () => {
    const { db, ledger, books, newUser } = await createTestLedger()
    const userId = await newUser(dollars(10))
    const undone = db.transaction().execute(async (handle) => {
      const moves = ledger.within(handle)
      await moves.placeHold(systemOwner, { holdId: 'call', userId, amountMicros: dollars(1) })
      const command = {
        kind: 'top_up',
        key: 'order 1',
        userId,
        amountMicros: dollars(7),
        reference: 'order',
      } as const
      expect((await moves.post(systemOwner, command)).ok).toBe(true)
      throw new Error('rollback')
    })
    await expect(undone).rejects.toThrow('rollback')
    expect(await ledger.balanceOf(systemOwner, userId)).toEqual({
      balanceMicros: dollars(10),
      heldMicros: 0n,
    })
    expect(faultsOf(await books.check())).toEqual([])
  })

  it('executes a batch of holds like single commands', async () => {
    const { db, ledger, books, newUser } = await createTestLedger()
    const [rich, poor] = [await newUser(dollars(100)), await newUser(cents(50))]
    const moves = ledger.within(db)
    const placing = (holdId: string, userId: number, amountMicros = cents(20)) => ({
      holdId,
      userId,
      amountMicros,
    })
    await moves.placeHolds(systemOwner, [placing('taken', rich)])
    const outcomes = await moves.placeHolds(systemOwner, [
      placing('z', rich),
      placing('a', poor),
      placing('b', poor, cents(40)),
      placing('c', poor),
      placing('taken', poor),
      placing('stranger', 999_999),
      placing('nothing', rich, micros(0n)),
    ])
    expect(outcomes.map((outcome) => outcome.ok || outcome.reason)).toEqual([
      true,
      true,
      'insufficient_balance',
      true,
      'key_conflict',
      'unknown_account',
      'amount_not_positive',
    ])
    const closed = await moves.closeHolds(systemOwner, [
      { holdId: 'z', costMicros: cents(20) },
      { holdId: 'taken', costMicros: cents(5) },
      { holdId: 'a', costMicros: null },
      { holdId: 'c', costMicros: cents(21) },
    ])
    expect(closed.map((outcome) => (outcome.ok ? outcome.hold.status : outcome.reason))).toEqual([
      'settled',
      'settled',
      'released',
      'above_hold',
    ])
    expect(await ledger.balanceOf(systemOwner, rich)).toEqual({
      balanceMicros: micros(99_750_000n),
      heldMicros: 0n,
    })
    expect(faultsOf(await books.check())).toEqual([])
  })
})

describe('a statement', () => {
  it('lists pages back in time with the balance after each line', async () => {
    const { ledger, newUser, topUp } = await createTestLedger()
    const userId = await newUser()
    await topUp(await newUser(), dollars(99))
    for (const amount of [1, 2, 3]) await topUp(userId, dollars(amount))
    await ledger.placeHold(systemOwner, { holdId: 'call', userId, amountMicros: dollars(2) })
    await ledger.settleHold(systemOwner, { holdId: 'call', costMicros: cents(150) })
    await buyUpgrade(ledger, userId)
    await ledger.post(
      systemOwner,
      {
        kind: 'adjustment',
        key: 'adj',
        userId,
        amountMicros: cents(50),
        reference: 'ticket',
        direction: 'debit',
        reason: 'typo',
      },
      userId,
    )
    const lines: unknown[] = []
    let before: bigint | null = null
    do {
      const page = await ledger.statement(systemOwner, userId, { before, limit: 2 })
      expect(page.lines.length).toBeLessThanOrEqual(2)
      lines.push(
        ...page.lines.map((line) => [
          line.kind,
          line.amountMicros,
          line.balanceAfterMicros,
          line.by,
          line.reason,
        ]),
      )
      before = page.next
    } while (before !== null)
    expect(lines).toEqual([
      ['adjustment', -cents(50), dollars(4), expect.any(String), 'typo'],
      ['upgrade_purchase', 0n, cents(450), null, null],
      ['call_settlement', -cents(150), cents(450), null, null],
      ['top_up', dollars(3), dollars(6), null, null],
      ['top_up', dollars(2), dollars(3), null, null],
      ['top_up', dollars(1), dollars(1), null, null],
    ])
  })

  it('and totals of payments agree', async () => {
    const { ledger, newUser, topUp } = await createTestLedger()
    const userId = await newUser(dollars(100))
    await topUp(await newUser(), dollars(50))
    await buyUpgrade(ledger, userId)
    await ledger.post(systemOwner, {
      kind: 'promo_credit',
      key: 'p',
      userId,
      amountMicros: dollars(5),
      reference: 'CODE',
    })
    await ledger.post(systemOwner, {
      kind: 'refund_paid_out',
      key: 'r',
      userId,
      amountMicros: dollars(30),
      reference: 'tx',
      takenFrom: 'balance',
    })
    expect(await ledger.paymentTotals(systemOwner)).toEqual({
      receivedMicros: dollars(300),
      receivedCount: 3,
      paidOutMicros: dollars(30),
    })
  })
})

describe('every user has an account', () => {
  it('with the exact balance in micro-dollars', async () => {
    const portal = await createPortal()
    const { token, id } = await signUp(portal, 'alice')
    const ledger = withSingleHolds(portal.services.ledger, portal.services.db)
    await ledger.post(systemOwner, {
      kind: 'top_up',
      key: 'k',
      userId: id,
      amountMicros: micros(12_345_678n),
      reference: 'order',
    })
    await ledger.placeHold(systemOwner, { holdId: 'call', userId: id, amountMicros: micros(345_678n) })
    const { answer } = await portal.call('GET /api/auth/me', { token })
    expect(answer.user).toMatchObject({ bal: 12.345678, held: 0.345678 })
  })

  it('including users from before the migration', async () => {
    const { url, drop } = await createTestDatabase({ migrated: false })
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
    const first = '0001_accounts.sql'
    await copyFile(new URL(`../../../../../db/${first}`, import.meta.url), join(folder, first))
    await migrate(url, { folder: pathToFileURL(`${folder}/`) })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await drop()
    })
    await client.query(`insert into users (username, password_hash, created_at) values ('early', '', now())`)
    await migrate(url)
    expect((await client.query('select balance_micros, held_micros from accounts')).rows).toEqual([
      { balance_micros: 0n, held_micros: 0n },
    ])
  })
})

/** Maps a history to other users, keys and holds, so many histories share one database. */
function inRun(run: number, users: number[], command: LedgerCommand): LedgerCommand {
  return {
    ...command,
    ...('userId' in command && { userId: users[command.userId - 1] }),
    ...('key' in command && { key: `${run} ${command.key}` }),
    ...('holdId' in command && { holdId: `${run} ${command.holdId}` }),
  } as LedgerCommand
}

type Ended = { ok: true; isRepeat: boolean; posting: unknown } | { ok: false; reason: string }
const briefly = (outcome: Ended) =>
  outcome.ok ? { isRepeat: outcome.isRepeat, posting: outcome.posting } : { reason: outcome.reason }

const top = { kind: 'top_up', key: 'a', userId: 1, amountMicros: micros(50n), reference: 'order' } as const
const adjust = { ...top, kind: 'adjustment', direction: 'debit', reason: 'why' } as const
const place = (holdId: string, amount: bigint) =>
  ({ kind: 'place', holdId, userId: 1, amountMicros: micros(amount) }) as const
const extend = (amount: bigint) => ({ kind: 'extend', holdId: 'one', toMicros: micros(amount) }) as const
const settle = (holdId: string, cost: bigint) =>
  ({ kind: 'settle', holdId, costMicros: micros(cost) }) as const
const release = (holdId: string) => ({ kind: 'release', holdId }) as const

const EVERY_PATH: LedgerCommand[] = [
  ...[place('one', 10n), place('one', 0n), extend(5n), settle('one', 1n), release('one')],
  ...[top, top, { ...top, amountMicros: micros(51n) }, { ...top, key: 'b', amountMicros: micros(0n) }],
  ...[
    { ...adjust, key: 'c', amountMicros: micros(500n) },
    { ...adjust, key: 'c', reason: '' },
  ],
  { ...adjust, key: 'd', amountMicros: micros(5n) },
  ...[place('one', 10n), place('one', 10n), place('one', 11n)],
  ...[extend(20n), extend(20n), extend(1_000n)],
  ...[settle('one', 21n), settle('one', 5n), settle('one', 5n), settle('one', 6n)],
  ...[extend(30n), place('one', 10n), release('one')],
  ...[place('two', 10n), release('two'), release('two'), settle('two', 1n)],
]

const RARE_PATHS = [
  ...['done', 'repeat', 'key_conflict', 'insufficient_balance', 'amount_not_positive', 'hold_closed'].map(
    (end) => `place ${end}`,
  ),
  ...['done', 'repeat', 'insufficient_balance', 'hold_closed', 'unknown_hold'].map((end) => `extend ${end}`),
  ...['done', 'repeat', 'key_conflict', 'above_hold', 'hold_closed', 'unknown_hold'].map(
    (end) => `settle ${end}`,
  ),
  ...['done', 'repeat', 'hold_closed', 'unknown_hold'].map((end) => `release ${end}`),
  ...['done', 'repeat', 'key_conflict', 'amount_not_positive'].map((end) => `top_up ${end}`),
  ...['done', 'insufficient_balance', 'reason_missing'].map((end) => `adjustment ${end}`),
]
