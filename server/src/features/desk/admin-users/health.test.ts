import { healthReasonKinds } from '@trunkline/domain/health'
import { describe, expect, it } from 'vitest'
import { ask } from '../../../../test/database.ts'
import { createPortal, type Portal, signUp } from '../../../../test/portal.ts'

const NOW = '2026-03-20T12:00:00.000Z'

async function begin() {
  const portal = await createPortal({}, { startsAt: NOW })
  const root = await signUp(portal, 'root', { isAdmin: true })
  return {
    portal,
    root,
    list: async (query: Record<string, string>) =>
      (await portal.call('GET /api/users', { token: root.token, query: { limit: 100, ...query } })).answer
        .users,
    health: async (id: number) =>
      (await portal.call('GET /api/admin/users/:id/health', { token: root.token, params: { id } })).answer
        .health,
  }
}

type Day = { daysAgo: number; calls: number; reached: number; dollars: number }

const addDay = (portal: Portal, userId: number, { daysAgo, calls, reached, dollars }: Day) =>
  ask(
    portal.database.url,
    `insert into figure_days (dimension, day, key, calls, answered, reached, rang, ring_delay_ms, seconds, cost_micros, buy_micros)
     values ('customer', date_trunc('day', timestamptz '${NOW}', 'UTC') - interval '${daysAgo} days', '${userId}',
             ${calls}, ${reached}, ${reached}, 0, 0, 0, ${dollars * 1_000_000}, 0)`,
  )

describe('the health of a customer', () => {
  it('compares the last seven full days with the seven before, from the totals by day', async () => {
    const { portal, list, health } = await begin()
    const alice = await signUp(portal, 'alice')
    // Today and the 15th day do not count.
    await addDay(portal, alice.id, { daysAgo: 0, calls: 500, reached: 0, dollars: 900 })
    await addDay(portal, alice.id, { daysAgo: 1, calls: 60, reached: 40, dollars: 30 })
    await addDay(portal, alice.id, { daysAgo: 7, calls: 40, reached: 29, dollars: 8 })
    await addDay(portal, alice.id, { daysAgo: 8, calls: 100, reached: 92, dollars: 60 })
    await addDay(portal, alice.id, { daysAgo: 14, calls: 100, reached: 92, dollars: 40 })
    await addDay(portal, alice.id, { daysAgo: 15, calls: 100, reached: 0, dollars: 700 })
    await portal.call('POST /api/support/tickets', {
      token: alice.token,
      body: { subject: 'Help', message: 'It does not work.' },
    })
    await ask(portal.database.url, `update tickets set created_at = created_at - interval '73 hours'`)
    const reasons = [
      { kind: 'spend_fell', text: 'Spend fell by 62% in 7 days' },
      { kind: 'calls_failing', text: '31% of calls failed, 8% before' },
      { kind: 'ticket_open', text: 'Ticket open for 3 days' },
      { kind: 'balance_low', text: 'Balance lasts less than a day' },
    ]
    expect(await health(alice.id)).toEqual({
      reasons,
      spend: 38,
      spend_before: 100,
      spend_change_percent: -62,
      calls: 100,
      failed_percent: 31,
      failed_percent_before: 8,
      open_tickets: 1,
      oldest_ticket_minutes: 73 * 60,
      balance_days: 0,
    })
    expect((await list({ search: 'alice' }))[0]?.health).toEqual(reasons)

    await portal.services.db
      .updateTable('users')
      .set({ disabled_at: portal.clock.now() })
      .where('id', '=', alice.id)
      .execute()
    expect(await health(alice.id)).toBeNull()
    expect((await list({ search: 'alice' }))[0]?.health).toEqual([])
    expect(await list({ health: 'any' })).toEqual([])
  })

  it('is filtered in SQL by the same rules, and sorted with pages', async () => {
    const { portal, root, list } = await begin()
    // A fixed sequence, close to the limits of each rule.
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor(seed / 65_536) % below
    }
    for (let n = 0; n < 40; n++) {
      const { id } = await portal.services.accounts.create({ username: `user-${n}`, password: 'long enough' })
      if (next(8) === 0) continue
      const calls = 15 + next(20)
      const [now, before] = [next(5), next(5)]
      await addDay(portal, id, {
        daysAgo: 2,
        calls,
        reached: calls - Math.floor((calls * (20 + next(10))) / 100),
        dollars: now,
      })
      await addDay(portal, id, { daysAgo: 9, calls: 10, reached: 9, dollars: before })
      await ask(
        portal.database.url,
        `update accounts set balance_micros = ${next(3_000_000)} where user_id = ${id}`,
      )
      if (next(3) === 0)
        await ask(
          portal.database.url,
          `insert into tickets (user_id, subject, status, created_at, updated_at, awaits_staff)
           values (${id}, 'x', 'open', timestamptz '${NOW}' - interval '${40 + next(20)} hours', '${NOW}', true)`,
        )
    }
    const users = await list({})
    for (const kind of healthReasonKinds) {
      const expected = users.filter(({ health }) => health.some((reason) => reason.kind === kind))
      expect(expected.length).toBeGreaterThan(2)
      expect(expected.length).toBeLessThan(38)
      expect((await list({ health: kind })).map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
    }
    expect(await list({ health: 'any' })).toHaveLength(users.filter(({ health }) => health.length > 0).length)
    const { answer } = await portal.call('GET /api/admin/users/count', {
      token: root.token,
      query: { health: 'any' },
    })
    expect(answer.users).toBe(users.filter(({ health }) => health.length > 0).length)

    for (const sort of ['spend_change', 'failed_calls', 'balance_days']) {
      const whole = (await list({ sort })).map(({ id }) => id)
      expect(whole.toSorted()).toEqual(users.map(({ id }) => id).toSorted())
      const paged: number[] = []
      for (let after: string | null | undefined; after !== null; ) {
        const page = await portal.call('GET /api/users', {
          token: root.token,
          query: { sort, limit: 7, ...(after !== undefined && { after }) },
        })
        paged.push(...page.answer.users.map(({ id }) => id))
        after = page.answer.next
      }
      expect(paged).toEqual(whole)
    }
  })
})
