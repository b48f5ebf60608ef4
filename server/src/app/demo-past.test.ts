import { generateHistory } from '@trunkline/sandbox/switch/history'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { faultsOf } from '../../test/ledger.ts'
import { createPortal, type Portal } from '../../test/portal.ts'
import { loadConfig } from './config.ts'
import { ensureDemo } from './demo.ts'
import { importDemoPast } from './demo-past.ts'

async function demoPortal() {
  const portal = await createPortal()
  await ensureDemo(portal.services, portal.clock)
  const config = loadConfig({ DATABASE_URL: portal.database.url })
  const now = portal.clock.now()
  const calls = generateHistory({ now: now.getTime(), calls: 900 })
  const { db } = portal.services
  return { portal, importOnce: () => importDemoPast(calls, { db, config, now }) }
}

const namesOf = async ({ services: { db } }: Portal, query: string): Promise<string[]> =>
  (await sql<{ name: string }>`${sql.raw(query)}`.execute(db)).rows.map(({ name }) => name)

const TABLES = [
  ...['invoices', 'payment_reviews', 'promo_codes', 'promo_redemptions', 'tickets', 'ticket_messages'],
  ...['contact_requests', 'alerts', 'user_tags', 'user_notes', 'audit_log', 'cdrs', 'postings'],
  ...['carrier_invoices', 'carrier_invoice_calls', 'rate_decks', 'price_changes'],
]

const sizesOf = async ({ services: { db } }: Portal) =>
  Object.fromEntries(
    await Promise.all(
      TABLES.map(async (table) => {
        const { rows } = await sql<{ n: number }>`
          select count(*)::integer as n from ${sql.table(table)}`.execute(db)
        return [table, rows[0]?.n ?? 0] as const
      }),
    ),
  )

describe('the past of the demo', () => {
  it('fills every list, keeps the books balanced and adds nothing the second time', async () => {
    const { portal, importOnce } = await demoPortal()
    expect(await importOnce()).toBeGreaterThan(800)
    const sizes = await sizesOf(portal)
    for (const table of TABLES) expect({ table, size: sizes[table] }).not.toEqual({ table, size: 0 })
    expect(faultsOf(await portal.services.books.check())).toEqual([])
    expect(
      await namesOf(portal, `select reference as name from postings where kind = 'number_rent' order by id`),
    ).toHaveLength(3)
    expect(await importOnce()).toBe(0)
    expect(await sizesOf(portal)).toEqual(sizes)
  })

  it('has payments in every final state, different customers, a destination at a loss, and statements in time order', async () => {
    const { portal, importOnce } = await demoPortal()
    await importOnce()
    expect(await namesOf(portal, `select distinct state as name from invoices order by 1`)).toEqual([
      'expired',
      'paid',
      'underpaid',
    ])
    expect(
      await namesOf(portal, `select reason as name from payment_reviews where state = 'open' order by 1`),
    ).toEqual(['late', 'overpaid', 'underpaid'])
    expect(await namesOf(portal, `select kind as name from invoices where refunded_micros > 0`)).toHaveLength(
      3,
    )
    expect(
      await namesOf(portal, `select username as name from users where is_premium order by username`),
    ).toEqual(['globe-imports', 'northwind', 'paula'])
    expect(
      await namesOf(
        portal,
        `select username as name from users join accounts on user_id = users.id
          where not is_admin and balance_micros between 1 and 4999999`,
      ),
    ).toEqual(['pixel-rentals'])
    expect(await namesOf(portal, `select username as name from users where disabled_at is not null`)).toEqual(
      ['oldtown-cafe'],
    )
    const kinds = await namesOf(portal, `select distinct kind as name from alerts`)
    expect(kinds).toEqual(
      expect.arrayContaining([
        'large_top_up',
        'low_balance',
        'payment_review',
        'trunk_down',
        'failed_sign_ins',
      ]),
    )
    expect(await namesOf(portal, `select state as name from carrier_invoices order by id`)).toEqual([
      'accepted',
      'open',
    ])
    expect(
      await namesOf(
        portal,
        `select kind as name from carrier_invoice_sums join carrier_invoices on id = invoice_id
          where state = 'open' and calls > 0 order by kind`,
      ),
    ).toEqual(['carrier_only', 'equal', 'longer', 'own_only', 'price'])
    // The reconciler has nothing to ask the real provider.
    expect(
      await namesOf(portal, `select order_id as name from invoices where next_poll_at is not null`),
    ).toEqual([])
    const disorder = `select p.key as name from (
      select key, at, lag(at) over (partition by user_id order by id) as previous from postings) as p
      where p.at < p.previous`
    expect(await namesOf(portal, disorder)).toEqual([])
    const losses = `select country as name from cdrs group by country
      having sum(cost_micros) < sum(buy_micros) and sum(cost_micros) > 0`
    expect(await namesOf(portal, losses)).toEqual(['BR'])
  })
})
