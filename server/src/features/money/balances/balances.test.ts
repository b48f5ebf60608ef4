import { system } from '@trunkline/domain/access'
import { cents, dollars } from '@trunkline/domain/money'
import { describe, expect, it } from 'vitest'
import { withSingleHolds } from '../../../../test/ledger.ts'
import { createTill, newAdmin, type Till } from '../../../../test/payments.ts'
import { type SignedIn, signUp } from '../../../../test/portal.ts'

async function begin() {
  const till = await createTill()
  return { till, root: await newAdmin(till), alice: await signUp(till, 'alice') }
}

const systemOwner = system('test')
let keys = 0
const adjust = (till: Till, root: SignedIn, body: object) =>
  till.call('POST /api/admin/balance-adjustments', {
    token: root.token,
    body: { reason: 'a gift', request_key: `adjust-${++keys}-x`, ...body },
  })

describe('an adjustment', () => {
  it('credits and debits, at most the available balance, and writes the reason to the audit log', async () => {
    const { till, root, alice } = await begin()
    const given = await adjust(till, root, { user_id: alice.id, amount: 25.5 })
    expect(given.answer).toEqual({ user_id: alice.id, balance: 25.5, held: 0, available: 25.5 })
    const taken = await adjust(till, root, { user_id: alice.id, amount: -5.000001, reason: 'a mistake' })
    expect(taken.answer.balance).toBe(20.499999)
    expect((await adjust(till, root, { user_id: alice.id, amount: -20.5 })).code).toBe('insufficient_balance')
    const log = await till.call('GET /api/admin/audit-log', { token: root.token, query: { user: alice.id } })
    expect(log.answer.entries).toMatchObject([
      {
        action: 'balance.adjust',
        before: { balance: 25.5 },
        after: { balance: 20.499999, amount: -5.000001 },
        reason: 'a mistake',
        by: { id: root.id },
      },
      { before: { balance: 0 }, after: { balance: 25.5 }, reason: 'a gift' },
    ])
    await till.expectBooksToAddUp()
  })

  it('is booked and logged once if it is repeated, and conflicts if its key has other content', async () => {
    const { till, root, alice } = await begin()
    const body = { user_id: alice.id, amount: 10, request_key: 'pressed-twice' }
    const all = await Promise.all(Array.from({ length: 10 }, () => adjust(till, root, body)))
    expect(all.every(({ status }) => status === 200)).toBe(true)
    expect((await adjust(till, root, { ...body, amount: 11 })).code).toBe('key_conflict')
    expect(await till.balance(alice)).toBe(10)
    const log = await till.services.db.selectFrom('audit_log').selectAll().execute()
    expect(log).toHaveLength(1)
  })

  it.each([
    [{ amount: 0 }, 400],
    [{ amount: 0.0000001 }, 400],
    [{ amount: 5, reason: '' }, 400],
    [{ amount: 5, user_id: 999 }, 404],
    [{ amount: 5, user_id: 2 ** 40 }, 400],
    [{ amount: 5, request_key: 'short' }, 400],
  ])('refuses %j and writes nothing', async (change, status) => {
    const { till, root, alice } = await begin()
    expect((await adjust(till, root, { user_id: alice.id, ...change })).status).toBe(status)
    expect(await till.traces()).toBe(0)
  })
})

describe('a statement', () => {
  it('lists every posting with the balance after it, page by page', async () => {
    const { till, root, alice } = await begin()
    for (const amount of [1, 2, 3]) await adjust(till, root, { user_id: alice.id, amount })
    const { trackId } = await till.topUp(alice, 10)
    await till.lever(`pay/${trackId}`)
    const page = (query: Record<string, number>) =>
      till.call('GET /api/admin/users/:id/statement', { token: root.token, params: { id: alice.id }, query })
    const first = (await page({ limit: 3 })).answer
    expect(first).toMatchObject({ user: { username: 'alice' }, balance: 16, held: 0, available: 16 })
    expect(first.lines.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
      ['top_up', 10, 16],
      ['adjustment', 3, 6],
      ['adjustment', 2, 3],
    ])
    const rest = (await page({ limit: 3, before: first.next ?? 0 })).answer
    expect(rest.lines).toMatchObject([{ amount: 1, balance: 1, reason: 'a gift' }])
    expect(rest.next).toBeNull()
  })
})

describe('postings of a balance', () => {
  it('are filtered by kind and time, as pages and as CSV; adjustments of all customers have one list', async () => {
    const { till, root, alice } = await begin()
    const bob = await signUp(till, 'bob')
    await adjust(till, root, { user_id: alice.id, amount: 5, reason: '=HYPERLINK("x")' })
    const { trackId } = await till.topUp(alice, 20)
    await till.lever(`pay/${trackId}`)
    till.clock.advance(60_000)
    const later = till.clock.now().toISOString()
    const ledger = withSingleHolds(till.services.ledger, till.services.db)
    await ledger.placeHold(systemOwner, {
      holdId: 'call',
      userId: alice.id,
      amountMicros: dollars(2),
    })
    await ledger.settleHold(systemOwner, { holdId: 'call', costMicros: cents(150) })
    await adjust(till, root, { user_id: alice.id, amount: -1, reason: 'a mistake' })
    await adjust(till, root, { user_id: bob.id, amount: 2 })

    const asked = { token: root.token, params: { id: alice.id } }
    const amounts = async (query: Record<string, string | number>) =>
      (await till.call('GET /api/admin/users/:id/statement', { ...asked, query })).answer.lines.map(
        ({ amount }) => amount,
      )
    expect(await amounts({})).toEqual([-1, -1.5, 20, 5])
    expect(await amounts({ kind: 'call_settlement' })).toEqual([-1.5])
    expect(await amounts({ kind: 'without_calls' })).toEqual([-1, 20, 5])
    expect(await amounts({ kind: 'adjustment' })).toEqual([-1, 5])
    expect(await amounts({ from: later })).toEqual([-1, -1.5])
    expect(await amounts({ to: later, kind: 'top_up' })).toEqual([20])

    const file = await till.api.inject({
      url: `/api/admin/users/${alice.id}/statement.csv?kind=adjustment`,
      headers: { authorization: `Bearer ${root.token}` },
    })
    const lines = file.body.trim().split('\n')
    expect(lines[0]).toBe('id,date,time,kind,amount,balance,reference,reason,by,at')
    expect(lines.slice(1).map((line) => line.split(',').slice(3, 9).join(','))).toEqual([
      'Adjustment,-1.000000,22.500000,balance adjustment,a mistake,root',
      // The apostrophe prevents a spreadsheet formula.
      `Adjustment,5.000000,5.000000,balance adjustment,"'=HYPERLINK(""x"")",root`,
    ])

    const adjustments = async (query: Record<string, number>) =>
      (await till.call('GET /api/admin/balance-adjustments', { token: root.token, query })).answer
    const first = await adjustments({ limit: 2 })
    expect(first.adjustments).toMatchObject([
      { user: { username: 'bob' }, amount: 2, balance: 2, reason: 'a gift', by: 'root' },
      { user: { username: 'alice' }, amount: -1, balance: 22.5, reason: 'a mistake' },
    ])
    expect((await adjustments({ before: first.next ?? 0 })).adjustments).toMatchObject([{ amount: 5 }])
    expect((await adjustments({ user: bob.id })).adjustments).toHaveLength(1)
  })

  it('are checked every night, and the panel shows the result', async () => {
    const { till, root, alice } = await begin()
    const proof = async () => (await till.call('GET /api/admin/books', { token: root.token })).answer.proof
    expect(await proof()).toBeNull()
    await adjust(till, root, { user_id: alice.id, amount: 5 })
    await till.services.books.prove()
    expect(await proof()).toEqual({ at: till.clock.now().toISOString(), faults: 0 })
    till.clock.advance(1_000)
    await till.services.db
      .updateTable('accounts')
      .set({ balance_micros: 6n })
      .where('user_id', '=', alice.id)
      .execute()
    await till.services.books.prove()
    expect((await proof())?.faults).toBeGreaterThan(0)
  })
})

describe('the audit log', () => {
  it('and the history of a payment are append-only in the database', async () => {
    const { till, root, alice } = await begin()
    await adjust(till, root, { user_id: alice.id, amount: 1 })
    const { db } = till.services
    await expect(db.updateTable('audit_log').set({ reason: 'another' }).execute()).rejects.toThrow(
      'append-only',
    )
    await expect(db.deleteFrom('audit_log').execute()).rejects.toThrow('append-only')
    await expect(db.deleteFrom('invoice_events').execute()).rejects.toThrow('append-only')
    await expect(db.deleteFrom('refunds').execute()).rejects.toThrow('append-only')
  })
})
