import { describe, expect, it } from 'vitest'
import { createTill, newAdmin, type Till } from '../../../test/payments.ts'
import { type SignedIn, signUp } from '../../../test/portal.ts'

async function begin() {
  const till = await createTill()
  return { till, root: await newAdmin(till), alice: await signUp(till, 'alice') }
}

let keys = 0
const adjust = (till: Till, root: SignedIn, body: object) =>
  till.call('POST /api/admin/balance-adjustments', {
    token: root.token,
    body: { reason: 'a gift', request_key: `adjust-${++keys}-x`, ...body },
  })

describe('an adjustment', () => {
  it('gives and takes, never more than is there, and says why in the audit log', async () => {
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

  it('sent again under its key is done once and logged once; with other content it is a conflict', async () => {
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
  ])('%j is refused and nothing is written', async (change, status) => {
    const { till, root, alice } = await begin()
    expect((await adjust(till, root, { user_id: alice.id, ...change })).status).toBe(status)
    expect(await till.traces()).toBe(0)
  })
})

describe('a statement', () => {
  it('tells every movement with the balance after it, page by page', async () => {
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

describe('the audit log', () => {
  it('and a payment’s history cannot be changed, not even by us', async () => {
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
