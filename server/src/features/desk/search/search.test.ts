import { generateHistory } from '@trunkline/sandbox/switch/history'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { forAll } from '../../../../test/lifetime.ts'
import { createPhones } from '../../../../test/live-calls.ts'
import { createPortal } from '../../../../test/portal.ts'
import { loadConfig } from '../../../app/config.ts'
import { ensureDemo } from '../../../app/demo.ts'
import { importDemoPast } from '../../../app/demo-past.ts'

type Wanted = { kind: string; id: string; q: string }

/** The demo has some of each kind. */
const shared = forAll(async () => {
  const portal = await createPortal()
  const { db } = portal.services
  await ensureDemo(portal.services, portal.clock)
  const now = portal.clock.now()
  const calls = generateHistory({ now: now.getTime(), calls: 300 })
  await importDemoPast(calls, { db, config: loadConfig({ DATABASE_URL: portal.database.url }), now })
  await sql`update users set name = 'Nora Quist' where username = 'northwind'`.execute(db)
  await createPhones(portal).silently.begin(2, { call_id: 'sw1/live-7', dialed: '+4930901820999' })
  const { answer } = await portal.call('POST /api/auth/login', {
    body: { username: 'admin', password: 'trunkline-admin' },
  })
  return { portal, db, token: answer.token }
})

const ask = (q: string) => {
  const { portal, token } = shared()
  return portal.call('GET /api/admin/search', { token, query: { q } })
}
const find = async (q: string) => (await ask(q)).answer.results

/** Everything in the database, with a text that names it exactly. */
async function everything(): Promise<Wanted[]> {
  const { rows } = await sql<Wanted>`
    select 'user' as kind, id::text, username as q from users
    union all select 'user', id::text, email from users
    union all select 'user', id::text, id::text from users
    union all select 'user', id::text, name from users where name is not null
    union all select 'carrier', id::text, name from trunks
    union all select 'route', id::text, name from routes
    union all select 'number', id::text, e164 from numbers
    union all select 'number', id::text, '+' || left(e164, 4) || ' ' || substr(e164, 5) from numbers
    union all select 'payment', id::text, order_id from invoices
    union all select 'payment', id::text, track_id from invoices
    union all select 'promo_code', id::text, code from promo_codes
    union all select 'ticket', id::text, subject from tickets
    union all select 'ticket', id::text, '#' || id from tickets
    union all select 'live_call', call_id, call_id from live_calls
    union all select 'live_call', call_id, dialed from live_calls`.execute(shared().db)
  return rows
}

describe('the search of administrators', () => {
  it('finds everything by its exact name, in any letter case', async () => {
    const all = await everything()
    expect(new Set(all.map(({ kind }) => kind)).size).toBe(8)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), fc.boolean(), async ({ kind, id, q }, isUpper) => {
        // The id of a live call and the id of the provider have a letter case.
        const isExact = kind === 'live_call' || q.startsWith('demo-')
        const results = await find(isUpper && !isExact ? q.toUpperCase() : q)
        return results.some((result) => result.kind === kind && result.id === id)
      }),
      { numRuns: 120 },
    )
  })

  it('finds call records by number as people write it, by call ID and by record ID', async () => {
    const { rows } = await sql<{ call_id: string; destination: string }>`
      select call_id, destination from cdrs where destination like '44%' and cost_micros > 0
       order by started_at desc limit 1`.execute(shared().db)
    const { call_id: callId = '', destination = '' } = rows[0] ?? {}
    const records = async (q: string) => (await find(q)).filter(({ kind }) => kind === 'call')
    const written = `+${destination.slice(0, 2)} ${destination.slice(2, 6)} ${destination.slice(6)}`
    for (const q of [destination, `00${destination}`, written])
      expect((await records(q)).every(({ title }) => title === `+${destination}`)).toBe(true)
    expect((await records(destination)).length).toBeGreaterThan(0)
    // The caller ID of acme-dialer.
    for (const { detail } of await records('12125550176')) expect(detail).toContain('from +12125550176')
    const [byCall] = await records(callId)
    expect(byCall).toMatchObject({ title: `+${destination}`, at: expect.any(String) })
    expect(await records(byCall?.id ?? '')).toEqual([byCall])
    // Screens show the ID without the switch.
    const [switchId = '', name = ''] = callId.split('/')
    await sql`insert into switches values (${switchId}, 'test', now(), now()) on conflict do nothing`.execute(
      shared().db,
    )
    expect(await records(name)).toEqual([byCall])
  })

  it('returns at most five of each kind, the exact match first', async () => {
    const users = (await find('trunkline.example')).filter(({ kind }) => kind === 'user')
    expect(users).toHaveLength(5)
    const results = await find('harbour wholesale')
    expect(results[0]).toEqual({
      kind: 'carrier',
      id: expect.any(String),
      title: 'Harbour Wholesale',
      detail: 'Harbour Carrier Services',
      at: null,
    })
    expect(await find('nothing has this name')).toEqual([])
    expect(await find('100%_\\')).toEqual([])
  })

  it('refuses an empty and an overlong text', async () => {
    for (const q of ['', '  ', 'x'.repeat(101)]) expect(await ask(q)).toMatchObject({ status: 400 })
  })
})
