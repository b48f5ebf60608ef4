import type { LedgerCommand } from '@trunkline/domain/ledger'
import { cents, dollars, type Micros, micros } from '@trunkline/domain/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { carryOut, createTestLedger, faultsOf, systemOwner } from '../../../../test/ledger.ts'
import type { HoldOutcome, PostOutcome } from './service.ts'

const WORKERS = 200
const STEPS = 20

type Done = { command: LedgerCommand; outcome: PostOutcome | HoldOutcome }

/**
 * Workers of two servers run random commands on the same accounts, keys and holds. The test then compares the
 * successful outcomes with the contents of the database.
 */
async function storm(accountCount: number) {
  const test = await createTestLedger()
  const users = await Promise.all(Array.from({ length: accountCount }, () => test.newUser(dollars(2))))
  const ledgers = [test.ledger, test.anotherLedger()]
  const said: LedgerCommand[] = []
  const done: Done[] = []
  let isOver = false
  const watcher = watch()

  try {
    await Promise.all(
      Array.from({ length: WORKERS }, async (_, worker) => {
        const random = randomFrom(worker + 1)
        const ledger = ledgers[worker % 2] ?? test.ledger
        for (let step = 0; step < STEPS; step++) {
          const command = next(random, `${worker}-${step}`)
          said.push(command)
          const outcome = await (random(8) === 0
            ? test.db.transaction().execute((handle) => carryOut(ledger.within(handle), command))
            : carryOut(ledger, command))
          if (outcome.ok && !outcome.isRepeat) done.push({ command, outcome })
        }
      }),
    )
  } finally {
    isOver = true
  }
  return { ...test, users, done, lowestSeen: await watcher }

  function next(random: (below: number) => number, fresh: string): LedgerCommand {
    const earlier = said[random(said.length)]
    const userId = users[random(users.length)] ?? 0
    const amountMicros = cents(1 + random(60))
    const holdId = `call-${random(300)}`
    const money = { key: `key-${fresh}`, userId, amountMicros, reference: 'order' }
    switch (random(12)) {
      case 0:
        return { kind: 'top_up', ...money }
      case 1:
        return { kind: 'refund_paid_out', takenFrom: 'balance', ...money }
      case 2:
        return { kind: 'adjustment', direction: 'debit', reason: 'test', ...money }
      case 3:
        return { kind: 'refund_to_balance', ...money, key: `key-${random(50)}` }
      case 4:
      case 5:
        return earlier ?? { kind: 'top_up', ...money }
      case 6:
      case 7:
        return { kind: 'extend', holdId, toMicros: cents(1 + random(120)) }
      case 8:
        return { kind: 'settle', holdId, costMicros: cents(random(60)) }
      case 9:
        return { kind: 'release', holdId }
      default:
        return { kind: 'place', holdId, userId, amountMicros }
    }
  }

  /** Polls for the lowest available balance. */
  async function watch(): Promise<bigint> {
    let lowest = 0n
    while (!isOver) {
      const { rows } = await sql<{ lowest: bigint }>`
        select min(balance_micros - held_micros) as lowest from accounts`.execute(test.db)
      if ((rows[0]?.lowest ?? 0n) < lowest) lowest = rows[0]?.lowest ?? 0n
    }
    return lowest
  }
}

describe.each([
  ['one account', 1],
  ['many accounts', 40],
])('200 workers on %s', { timeout: 120_000 }, (_name, accountCount) => {
  it('never lose, duplicate or overspend money', async () => {
    const { db, ledger, books, users, done, lowestSeen } = await storm(accountCount)
    expect(lowestSeen).toBe(0n)
    expect(new Set(done.map(({ command }) => command.kind))).toEqual(new Set(ALL_KINDS))
    expect(onceOnly(done)).toEqual([])
    for (const userId of users)
      expect({ userId, ...(await ledger.balanceOf(systemOwner, userId)) }).toEqual({
        userId,
        balanceMicros: dollars(2) + balanceOf(userId, done),
        heldMicros: heldOf(userId, done),
      })
    const { count } = await db
      .selectFrom('postings')
      .select((of) => of.fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(
      users.length + done.filter(({ outcome }) => outcome.ok && outcome.posting).length,
    )
    expect(faultsOf(await books.check())).toEqual([])
  })
})

it('grants exactly as many of 200 concurrent holds as the balance covers', async () => {
  const { ledger, anotherLedger, books, newUser } = await createTestLedger()
  const userId = await newUser(dollars(1))
  const ledgers = [ledger, anotherLedger()]
  const outcomes = await Promise.all(
    Array.from({ length: WORKERS }, (_, n) =>
      ledgers[n % 2]?.placeHold(systemOwner, { holdId: `call-${n}`, userId, amountMicros: cents(3) }),
    ),
  )
  expect(outcomes.filter((outcome) => outcome?.ok)).toHaveLength(33)
  expect(await ledger.balanceOf(systemOwner, userId)).toEqual({
    balanceMicros: dollars(1),
    heldMicros: cents(99),
  })
  expect(faultsOf(await books.check())).toEqual([])
})

it('does not deadlock when a hold is placed again while it is closed', async () => {
  const { ledger, anotherLedger, books, newUser } = await createTestLedger()
  const userId = await newUser(dollars(2))
  const ledgers = [ledger, anotherLedger()]
  const random = randomFrom(7)
  // Fails with "deadlock detected" if a hold is changed before its account is locked.
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      const moves = ledgers[worker % 2] ?? ledger
      for (let step = 0; step < STEPS; step++) {
        const holdId = `call-${random(40)}`
        const kind = random(5)
        if (kind === 0) await moves.settleHold(systemOwner, { holdId, costMicros: cents(random(3)) })
        else if (kind === 1) await moves.releaseHold(systemOwner, { holdId })
        else if (kind === 2)
          await carryOut(moves, {
            ...({ kind: 'top_up', key: `${worker}-${step}`, reference: 'order' } as const),
            userId,
            amountMicros: cents(1),
          })
        else await moves.placeHold(systemOwner, { holdId, userId, amountMicros: cents(1 + random(9)) })
      }
    }),
  )
  expect(faultsOf(await books.check())).toEqual([])
})

it('executes the same command from 200 concurrent callers once', async () => {
  const { db, ledger, anotherLedger, newUser } = await createTestLedger()
  const userId = await newUser()
  const ledgers = [ledger, anotherLedger()]
  const command = {
    kind: 'top_up',
    key: 'order',
    userId,
    amountMicros: dollars(5),
    reference: 'order',
  } as const
  const outcomes = await Promise.all(
    Array.from({ length: WORKERS }, (_, n) =>
      n % 3 === 0
        ? db.transaction().execute((handle) => ledger.within(handle).post(systemOwner, command))
        : ledgers[n % 2]?.post(systemOwner, command),
    ),
  )
  expect(outcomes.filter((outcome) => outcome?.ok && !outcome.isRepeat)).toHaveLength(1)
  expect(new Set(outcomes.map((outcome) => outcome?.ok && outcome.id)).size).toBe(1)
  expect((await ledger.balanceOf(systemOwner, userId)).balanceMicros).toBe(dollars(5))
})

const ALL_KINDS = [
  ...['top_up', 'refund_paid_out', 'adjustment', 'refund_to_balance'],
  ...['place', 'extend', 'settle', 'release'],
]

/** Commands that were executed twice. */
function onceOnly(done: Done[]): string[] {
  const names = done
    .filter(({ command }) => command.kind !== 'extend')
    .map(({ command }) =>
      'holdId' in command ? `${command.kind === 'place' ? 'place' : 'close'} ${command.holdId}` : command.key,
    )
  return names.filter((name, index) => names.indexOf(name) !== index)
}

/** Sum of the postings in the outcomes. */
function balanceOf(userId: number, done: Done[]): bigint {
  let total = 0n
  for (const { outcome } of done)
    for (const entry of (outcome.ok && outcome.posting?.entries) || [])
      if (entry.account === `customer:${userId}`) total += entry.amountMicros
  return total
}

function heldOf(userId: number, done: Done[]): bigint {
  const open = new Map<string, Micros>()
  for (const { outcome } of done)
    if (outcome.ok && 'hold' in outcome && outcome.hold.userId === userId) {
      const { holdId, amountMicros } = outcome.hold
      if (amountMicros > (open.get(holdId) ?? 0n)) open.set(holdId, amountMicros)
    }
  for (const { command } of done)
    if (command.kind === 'settle' || command.kind === 'release') open.delete(command.holdId)
  return [...open.values()].reduce((total, amount) => micros(total + amount), micros(0n))
}

/** Deterministic numbers. Only the interleaving of workers differs between runs. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % Math.max(1, below)
  }
}
