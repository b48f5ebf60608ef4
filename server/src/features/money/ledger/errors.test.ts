import type { MoneyCommand } from '@trunkline/domain/ledger'
import { cents, dollars, micros } from '@trunkline/domain/money'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestLedger, faultsOf, systemOwner } from '../../../../test/ledger.ts'
import { orRefuse } from './service.ts'

const topUp = (userId: number, more: Partial<MoneyCommand> = {}): MoneyCommand =>
  ({
    kind: 'top_up',
    key: 'key',
    userId,
    amountMicros: dollars(1),
    reference: 'order',
    ...more,
  }) as MoneyCommand

describe('refuses a posting', () => {
  it('for a user that does not exist', async () => {
    const { ledger } = await createTestLedger()
    expect(await ledger.post(systemOwner, topUp(999_999))).toEqual({ ok: false, reason: 'unknown_account' })
  })

  it('with a key that is reserved for settlements', async () => {
    const { ledger, newUser } = await createTestLedger()
    const userId = await newUser(dollars(1))
    await ledger.placeHold(systemOwner, { holdId: 'call', userId, amountMicros: cents(10) })
    await ledger.settleHold(systemOwner, { holdId: 'call', costMicros: cents(5) })
    const refused = await ledger.post(systemOwner, topUp(userId, { key: 'settle:call' }))
    expect(refused).toEqual({ ok: false, reason: 'reserved_key' })
  })

  it('that would spend held money', async () => {
    const { ledger, newUser } = await createTestLedger()
    const userId = await newUser(dollars(10))
    await ledger.placeHold(systemOwner, { holdId: 'call', userId, amountMicros: dollars(6) })
    const payOut = {
      kind: 'refund_paid_out',
      key: 'out',
      userId,
      reference: 'tx',
      takenFrom: 'balance',
    } as const
    expect(await ledger.post(systemOwner, { ...payOut, amountMicros: dollars(5) })).toEqual({
      ok: false,
      reason: 'insufficient_balance',
    })
    expect((await ledger.post(systemOwner, { ...payOut, amountMicros: dollars(4) })).ok).toBe(true)
  })

  it('without aborting the caller’s transaction', async () => {
    const { db, ledger, newUser } = await createTestLedger()
    const userId = await newUser(dollars(1))
    await ledger.placeHold(systemOwner, { holdId: 'call', userId, amountMicros: cents(10) })
    await db.transaction().execute(async (handle) => {
      const moves = ledger.within(handle)
      expect((await moves.post(systemOwner, topUp(userId))).ok).toBe(true)
      expect((await moves.post(systemOwner, topUp(userId, { amountMicros: dollars(2) }))).ok).toBe(false)
      expect(
        (await moves.placeHold(systemOwner, { holdId: 'call', userId, amountMicros: cents(11) })).ok,
      ).toBe(false)
      expect(
        (await moves.placeHold(systemOwner, { holdId: 'other', userId, amountMicros: cents(11) })).ok,
      ).toBe(true)
    })
    expect(await ledger.balanceOf(systemOwner, userId)).toEqual({
      balanceMicros: dollars(2),
      heldMicros: cents(21),
    })
  })
})

describe('in a batch', () => {
  it('only the invalid command fails', async () => {
    const { ledger, newUser } = await createTestLedger()
    const userId = await newUser(dollars(1))
    const place = (holdId: string) =>
      ledger.placeHold(systemOwner, { holdId, userId, amountMicros: cents(1) })
    const ends = await Promise.allSettled(['one', 'x'.repeat(201), 'two', 'three'].map(place))
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect((await ledger.balanceOf(systemOwner, userId)).heldMicros).toBe(cents(3))
  })

  it('a command above the balance does not block the next one', async () => {
    const { ledger, newUser } = await createTestLedger()
    const userId = await newUser(dollars(1))
    const place = (holdId: string, amountMicros = cents(40)) =>
      ledger.placeHold(systemOwner, { holdId, userId, amountMicros })
    const ends = await Promise.all([place('a', dollars(2)), place('b'), place('c'), place('d')])
    expect(ends.map((end) => end.ok || end.reason)).toEqual([
      'insufficient_balance',
      true,
      true,
      'insufficient_balance',
    ])
  })

  it('identical commands place one hold, and another amount with the same id conflicts', async () => {
    const { ledger, anotherLedger, newUser } = await createTestLedger()
    const userId = await newUser(dollars(1))
    const ledgers = [ledger, anotherLedger()]
    const amounts = [10, 10, 10, 11]
    const ends = await Promise.all(
      amounts.flatMap((amount) =>
        ledgers.map((one) =>
          one.placeHold(systemOwner, { holdId: 'call', userId, amountMicros: cents(amount) }),
        ),
      ),
    )
    expect(ends.filter((end) => end.ok && !end.isRepeat)).toHaveLength(1)
    const held = (await ledger.balanceOf(systemOwner, userId)).heldMicros
    expect([cents(10), cents(11)]).toContain(held)
    expect(ends.filter((end) => !end.ok && end.reason !== 'key_conflict')).toEqual([])
  })
})

it('fails the command, not the process, when the connection is lost, and accepts a retry', async () => {
  const { url, ledger, books, newUser } = await createTestLedger(2)
  const userId = await newUser(dollars(1))
  const placing = { holdId: 'call', userId, amountMicros: cents(10) }
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  onTestFinished(() => owner.end())
  await owner.query(`create function cut() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`)
  await owner.query('create trigger cut before insert on holds for each row execute function cut()')
  await expect(ledger.placeHold(systemOwner, placing)).rejects.toThrow()
  await owner.query('drop trigger cut on holds')
  // The pool can return the dead connection once more before it notices.
  const again = () => ledger.placeHold(systemOwner, placing)
  expect(await again().catch(again)).toMatchObject({ ok: true, isRepeat: false })
  expect(faultsOf(await books.check())).toEqual([])
})

it.each([
  ['insufficient_balance', { code: 'insufficient_balance', status: 402 }],
  ['key_conflict', { code: 'key_conflict', status: 409 }],
  ['unknown_account', { code: 'not_found', status: 404 }],
  ['amount_too_large', { code: 'invalid_input', status: 400 }],
])('maps %s to the API error %j', (reason, refusal) => {
  expect(() => orRefuse({ ok: false, reason })).toThrow(expect.objectContaining(refusal))
})

it('throws for a refusal that indicates a bug', () => {
  expect(() => orRefuse({ ok: false, reason: 'reserved_key' })).toThrow('unexpected refusal')
  expect(orRefuse({ ok: true, id: 1 })).toEqual({ ok: true, id: 1 })
})

it('refuses an amount above the limit without a query', async () => {
  const { ledger, newUser } = await createTestLedger()
  const userId = await newUser(dollars(1))
  const vast = micros(10n ** 30n)
  expect(await ledger.placeHold(systemOwner, { holdId: 'call', userId, amountMicros: vast })).toMatchObject({
    reason: 'amount_too_large',
  })
  await ledger.placeHold(systemOwner, { holdId: 'call', userId, amountMicros: cents(1) })
  expect(await ledger.extendHold(systemOwner, { holdId: 'call', toMicros: vast })).toMatchObject({
    ok: false,
  })
  expect(await ledger.settleHold(systemOwner, { holdId: 'call', costMicros: vast })).toMatchObject({
    reason: 'above_hold',
  })
})
