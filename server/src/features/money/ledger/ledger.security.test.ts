import { ownDataOf } from '@trunkline/domain/access'
import { cents, dollars } from '@trunkline/domain/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createTestLedger, faultsOf, systemOwner } from '../../../../test/ledger.ts'
import { forAll } from '../../../../test/lifetime.ts'

const self = (userId: number) => ownDataOf({ userId, isAdmin: false })

describe('data of another user', () => {
  it('cannot be read or changed', async () => {
    const { ledger, newUser } = await createTestLedger()
    const [alice, mallory] = [await newUser(dollars(10)), await newUser(dollars(10))]
    const owner = self(mallory)
    await ledger.placeHold(systemOwner, { holdId: 'call', userId: alice, amountMicros: cents(50) })

    await expect(ledger.balanceOf(owner, alice)).rejects.toMatchObject({ code: 'not_found' })
    expect((await ledger.statement(owner, alice, { limit: 10 })).lines).toEqual([])
    const unknown = { ok: false, reason: 'unknown_hold' }
    expect(await ledger.extendHold(owner, { holdId: 'call', toMicros: dollars(1) })).toMatchObject(unknown)
    expect(await ledger.settleHold(owner, { holdId: 'call', costMicros: cents(1) })).toMatchObject(unknown)
    expect(await ledger.releaseHold(owner, { holdId: 'call' })).toMatchObject(unknown)
    const placed = await ledger.placeHold(owner, { holdId: 'mine', userId: alice, amountMicros: cents(1) })
    expect(placed).toMatchObject({ ok: false, reason: 'unknown_account', availableMicros: 0n })
    const gift = {
      kind: 'top_up',
      key: 'gift',
      userId: alice,
      amountMicros: dollars(1),
      reference: 'order',
    } as const
    expect(await ledger.post(owner, gift)).toEqual({ ok: false, reason: 'unknown_account' })

    expect(await ledger.balanceOf(self(alice), alice)).toEqual({
      balanceMicros: dollars(10),
      heldMicros: cents(50),
    })
    expect((await ledger.statement(self(alice), alice, { limit: 10 })).lines).toHaveLength(1)
    expect((await ledger.paymentTotals(self(alice))).receivedMicros).toBe(dollars(10))
  })

  it('does not leak through a key that is in use', async () => {
    const { ledger, newUser } = await createTestLedger()
    const [alice, mallory] = [await newUser(), await newUser()]
    const command = { kind: 'top_up', key: 'order 1', amountMicros: dollars(1), reference: 'order' } as const
    await ledger.post(systemOwner, { ...command, userId: alice })
    expect(await ledger.post(self(mallory), { ...command, userId: mallory })).toEqual({
      ok: false,
      reason: 'key_conflict',
    })
  })
})

describe('the database itself refuses', () => {
  const withHistory = forAll(async () => {
    const test = await createTestLedger()
    const userId = await test.newUser(dollars(10))
    for (const holdId of ['open', 'settled', 'released'])
      await test.ledger.placeHold(systemOwner, { holdId, userId, amountMicros: cents(50) })
    await test.ledger.settleHold(systemOwner, { holdId: 'settled', costMicros: cents(20) })
    await test.ledger.releaseHold(systemOwner, { holdId: 'released' })
    return test
  })

  it.each([
    `update postings set reference = 'changed'`,
    `update postings set balance_after_micros = 0 where false`,
    `delete from postings`,
    `truncate postings cascade`,
    `update entries set amount_micros = amount_micros * 2`,
    `delete from entries`,
    `truncate entries`,
    `delete from holds`,
    `truncate holds`,
    `truncate accounts cascade`,
    `truncate users cascade`,
    `update holds set amount_micros = amount_micros - 1, placed_micros = placed_micros - 1 where hold_id = 'open'`,
    `update holds set amount_micros = amount_micros + 1, status = 'released', closed_at = now() where hold_id = 'open'`,
    `update holds set user_id = user_id + 1 where hold_id = 'open'`,
    `update holds set hold_id = 'other' where hold_id = 'open'`,
    `update holds set placed_at = placed_at + interval '1 day' where hold_id = 'open'`,
    `update holds set settled_micros = 1 where hold_id = 'settled'`,
    `update holds set status = 'open', settled_micros = 0, closed_at = null where hold_id = 'settled'`,
    `update holds set status = 'settled', settled_micros = 1 where hold_id = 'released'`,
    `update holds set amount_micros = amount_micros + 1 where hold_id = 'released'`,
  ])('to change a posting: %s', async (statement) => {
    const { db, books } = withHistory()
    await expect(sql.raw(statement).execute(db)).rejects.toThrow('the ledger is append-only')
    expect(faultsOf(await books.check())).toEqual([])
  })

  it.each([
    ['an addition that does not sum to zero', `insert into entries select id, 'promotions', 5 from postings`],
    [
      'two additions that sum to zero only together',
      `insert into entries select p.id, 'promotions', case p.kind when 'top_up' then 5 else -5 end from postings as p`,
    ],
    ['an entry of zero', `insert into entries select id, 'promotions', 0 from postings`],
    ['an account that is not in the books', `insert into entries select id, 'pocket', 1 from postings`],
    ['more held than there is', `update accounts set held_micros = balance_micros + 1`],
    ['a balance below zero', `update accounts set balance_micros = -1, held_micros = 0`],
    ['held below zero', `update accounts set held_micros = -1`],
    ['a user with a history deleted', `delete from users`],
    [
      'a settlement above its hold',
      `update holds set status = 'settled', settled_micros = amount_micros + 1, closed_at = now() where hold_id = 'open'`,
    ],
    [
      'an adjustment without a reason',
      `insert into postings (key, fingerprint, kind, user_id, reference, at, balance_after_micros)
       select 'a', 'f', 'adjustment', user_id, 'r', now(), 0 from accounts`,
    ],
    [
      'a key used twice',
      `insert into postings (key, fingerprint, kind, user_id, reference, at, balance_after_micros)
       select key, 'f', 'top_up', user_id, 'r', now(), 0 from postings where kind = 'top_up'`,
    ],
  ])('%s', async (_what, statement) => {
    const { db, books } = withHistory()
    await expect(sql.raw(statement).execute(db)).rejects.toThrow(/violates|must sum to zero/)
    expect(faultsOf(await books.check())).toEqual([])
  })

  it('nothing when a user without postings is deleted', async () => {
    const { db, newUser } = await createTestLedger()
    await newUser()
    await sql`delete from users`.execute(db)
    expect(await db.selectFrom('accounts').selectAll().execute()).toEqual([])
  })
})
