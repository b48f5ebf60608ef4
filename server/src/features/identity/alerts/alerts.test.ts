import { describe, expect, it } from 'vitest'
import { auditOf, expectNowhere } from '../../../../test/catalogue.ts'
import { type SignedIn, signUp, withAdmin } from '../../../../test/portal.ts'
import { createAlerts } from './service.ts'

async function begin() {
  const { portal, root, alice } = await withAdmin()
  const { alerts } = portal.services
  return {
    portal,
    root,
    alice,
    alerts,
    overspent: (details = {}) => ({
      kind: 'daily_spend_reached',
      subject: `user:${alice.id}`,
      userId: alice.id,
      message: 'The daily spending limit is reached.',
      details,
    }),
    listed: async (query = {}) =>
      (await portal.call('GET /api/admin/alerts', { token: root.token, query })).answer,
    acknowledge: ({ token }: SignedIn, id: number) =>
      portal.call('POST /api/admin/alerts/:id/acknowledge', { token, params: { id } }),
  }
}

describe('an alert', () => {
  it('increases its count if it occurs again while open', async () => {
    const { portal, alice, alerts, overspent, listed } = await begin()
    await alerts.raise(overspent({ limit: 50 }))
    const first = portal.clock.now().toISOString()
    portal.clock.advance(60_000)
    await alerts.raise(overspent({ limit: 60 }))
    const { alerts: shown, open } = await listed()
    expect(open).toBe(1)
    expect(shown).toMatchObject([
      {
        kind: 'daily_spend_reached',
        times: 2,
        first_at: first,
        last_at: portal.clock.now().toISOString(),
        details: { limit: 60 },
        user: { id: alice.id, username: 'alice' },
        acknowledged_at: null,
      },
    ])
  })

  it('raised a thousand times concurrently by two processes is stored once with the right count', async () => {
    const { portal, alerts, overspent, listed } = await begin()
    const another = createAlerts(portal.services.db, portal.clock)
    await Promise.all(
      Array.from({ length: 1000 }, (_, n) => {
        const one = n % 3 === 0 ? { ...overspent(), kind: 'too_many_calls' } : overspent()
        return (n % 2 === 0 ? alerts : another).raise(one)
      }),
    )
    const { alerts: shown } = await listed()
    expect(Object.fromEntries(shown.map(({ kind, times }) => [kind, times]))).toEqual({
      too_many_calls: 334,
      daily_spend_reached: 666,
    })
  })

  it('that cannot be written is reported, and the next one is written', async () => {
    const { alerts, overspent, listed } = await begin()
    await expect(alerts.raise({ ...overspent(), userId: 999 })).rejects.toThrow()
    await alerts.raise(overspent())
    expect((await listed()).open).toBe(1)
  })

  it('is acknowledged once by an administrator, and the next occurrence opens a new one', async () => {
    const { portal, root, alerts, overspent, listed, acknowledge } = await begin()
    const other = await signUp(portal, 'deputy', { isAdmin: true })
    await alerts.raise(overspent())
    const [{ id } = { id: 0 }] = (await listed()).alerts
    const both = [await acknowledge(root, id), await acknowledge(other, id)]
    expect(both.map(({ answer }) => answer.alert.acknowledged_by?.username)).toEqual(['root', 'root'])
    expect(await auditOf(portal, root, 'alert.acknowledge')).toHaveLength(1)
    expect(await listed()).toMatchObject({ alerts: [], open: 0 })
    await alerts.raise(overspent())
    expect(await listed()).toMatchObject({ alerts: [{ times: 1 }], open: 1 })
    expect((await listed({ state: 'acknowledged' })).alerts).toMatchObject([{ id }])
    expect((await listed({ state: 'all' })).alerts).toHaveLength(2)
    // Automatic closing keeps the name on acknowledged alerts.
    await alerts.close('daily_spend_reached', overspent().subject)
    expect((await listed({ state: 'acknowledged' })).alerts).toMatchObject([
      { acknowledged_by: null },
      { id, acknowledged_by: { username: 'root' } },
    ])
    expect((await acknowledge(root, 999)).status).toBe(404)
  })

  it('is filtered by state, kind and user, with paging', async () => {
    const { alice, alerts, listed } = await begin()
    for (let n = 1; n <= 5; n++)
      await alerts.raise({
        kind: n % 2 ? 'trunk_down' : 'no_route',
        subject: `trunk:${n}`,
        message: `${n}`,
        userId: n === 4 ? alice.id : null,
      })
    const first = await listed({ limit: 3 })
    expect(first.alerts.map(({ message }) => message)).toEqual(['5', '4', '3'])
    const rest = await listed({ limit: 3, before: first.next ?? 0 })
    expect(rest.alerts.map(({ message }) => message)).toEqual(['2', '1'])
    expect(rest.next).toBeNull()
    expect((await listed({ kind: 'no_route' })).alerts.map(({ message }) => message)).toEqual(['4', '2'])
    expect((await listed({ user: alice.id })).alerts.map(({ message }) => message)).toEqual(['4'])
  })

  it('is visible to its customer only, without details', async () => {
    const { portal, alice, alerts, overspent, acknowledge, listed } = await begin()
    const bob = await signUp(portal, 'bob')
    await alerts.raise(overspent({ trunk: 'Secret Carrier' }))
    await alerts.raise({ kind: 'trunk_down', subject: 'trunk:1', userId: null, message: 'internal' })
    const own = async ({ token }: SignedIn) => (await portal.call('GET /api/alerts', { token })).answer
    const hers = await own(alice)
    expect(hers.alerts).toMatchObject([{ message: 'The daily spending limit is reached.', times: 1 }])
    expectNowhere(hers, 'Secret Carrier', 'internal', 'subject')
    expect((await own(bob)).alerts).toEqual([])
    const [{ id } = { id: 0 }] = (await listed()).alerts
    expect((await acknowledge(alice, id)).status).toBe(403)
    expect((await portal.call('GET /api/admin/alerts', { token: alice.token })).status).toBe(403)
  })
})
