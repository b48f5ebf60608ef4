import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createShop, type Shop } from '../../../../test/catalogue.ts'

const ROUTES = 200
const RATES_EACH = 2_000
const PARALLEL = 20

/** A catalogue with 400,000 prefix rates, like that of a large provider. */
async function fillCatalogue({ services: { db } }: Shop): Promise<void> {
  await sql`
    insert into routes (country, name, plan_id, price_micros, created_at, updated_at)
    select (array['DE', 'GB', 'FR', 'ES', 'IT', 'NL', 'PL', 'AU', 'IN', 'MX'])[1 + n % 10], 'Route ' || n, plans.id,
           10000 + n, now(), now()
      from plans, generate_series(1, ${sql.lit(ROUTES)}) as n`.execute(db)
  await db.transaction().execute(async (tx) => {
    // Disables the notifications for each rate.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
      insert into route_rates (route_id, prefix, price_micros)
      select routes.id, code || (1000 + n), 8000 + (n * 37 + routes.id) % 40000
        from routes, generate_series(1, ${sql.lit(RATES_EACH)}) as n,
             lateral (select case country when 'DE' then '49' when 'GB' then '44' when 'FR' then '33' when 'ES' then '34'
                                  when 'IT' then '39' when 'NL' then '31' when 'PL' then '48' when 'AU' then '61'
                                  when 'IN' then '91' else '52' end as code) as codes`.execute(tx)
  })
  await sql`analyze routes, route_rates`.execute(db)
}

const lists = ['/api/routes', '/api/pricing', '/api/pricing/rates?limit=6']

it('does not delay others while 20 clients read a catalogue with 400,000 rates', async () => {
  const shop = await createShop()
  await fillCatalogue(shop)
  const bytes: number[] = []
  const waits: number[] = []
  const read = async (url: string) => {
    const headers = { authorization: `Bearer ${shop.alice.token}` }
    const { statusCode, rawPayload } = await shop.api.inject({ method: 'GET', url, headers })
    bytes.push(rawPayload.length)
    return statusCode
  }
  const readTogether = (url: string) => Promise.all(Array.from({ length: PARALLEL }, () => read(url)))

  let isLoading = true
  const somebodyElse = (async () => {
    const answers: number[] = []
    while (isLoading) {
      const asked = performance.now()
      answers.push((await shop.call('GET /api/auth/me', { token: shop.paula.token })).status)
      waits.push(performance.now() - asked)
    }
    return new Set(answers)
  })()
  try {
    for (const url of lists)
      await expect.poll(() => readTogether(url), { timeout: 60_000 }).toEqual(Array(PARALLEL).fill(200))
    // The first request can time out with 503 while the computation continues.
    expect([200, 503]).toContain(await read('/api/pricing/rates?limit=1000'))
  } finally {
    isLoading = false
  }
  expect(await somebodyElse).toEqual(new Set([200]))
  // Without limits: 20 MB each, and delays of tens of seconds.
  expect(Math.max(...bytes)).toBeLessThan(2_000_000)
  expect(Math.max(...waits)).toBeLessThan(3_000)
  expect(waits.length).toBeGreaterThan(20)
}, 150_000)

it('reads and serializes an unchanged catalogue once', async () => {
  const shop = await createShop()
  await shop.addRoute({ rates: [{ prefix: '4915', price: 0.03 }] })
  const { db } = shop.services
  const answers = async () => [
    await shop.services.routes.list({ userId: shop.alice.id, isAdmin: false }, {}),
    await shop.services.pricing.list(),
  ]
  const first = await answers()
  expect((await answers()).map((answer, at) => answer === first[at])).toEqual([true, true])
  await db.updateTable('routes').set({ version: 2 }).execute()
  expect((await answers()).map((answer, at) => answer === first[at])).toEqual([false, false])
})

it('refuses excessive reads of one user without affecting others', async () => {
  const shop = await createShop()
  const statuses = await Promise.all(
    Array.from(
      { length: 100 },
      async () => (await shop.call('GET /api/cdr', { token: shop.alice.token })).status,
    ),
  )
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(64)
  expect((await shop.call('GET /api/cdr', { token: shop.paula.token })).status).toBe(200)
})
