import { allCountries } from '@trunkline/domain/countries'
import { callingCode } from '@trunkline/domain/numbers'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createPricing } from '../../../../test/pricing.ts'

const ROUTES = 200
const RATES = 24
const BUY_RATES = 50_000
/** The client waits for 60 seconds. This allows for a busy machine. */
const PATIENCE_MS = 30_000

it('previews, applies and undoes 5,000 prices over carriers with 50,000 rates each within seconds', async () => {
  const { preview, apply, undo, rows, services, cheap, dear, berlin } = await createPricing()
  const countries = allCountries()
    .flatMap(({ code }) => ({ code, digits: callingCode(code) ?? '' }))
    .filter(({ digits }) => digits.length > 1)
    .slice(0, ROUTES)
  await sql`delete from routes where id = ${berlin.id}`.execute(services.db)
  await sql`
    with added as (
      insert into routes (country, name, plan_id, price_micros, created_at, updated_at)
      select code, 'Route ' || code, (select id from plans where name = 'Gold'), 20000, current_timestamp, current_timestamp
        from unnest(${countries.map(({ code }) => code)}::text[]) as given (code)
      returning id, country)
    insert into route_rates (route_id, prefix, price_micros)
    select added.id, digits || (100 + n), 30000 + n
      from added join unnest(${countries.map(({ code }) => code)}::text[], ${countries.map(({ digits }) => digits)}::text[])
                      as given (code, digits) on code = country,
           generate_series(1, ${RATES}::integer) as n`.execute(services.db)
  await sql`
    insert into trunk_rates (trunk_id, prefix, price_micros)
    select trunk_id, (20000 + n)::text, 1000 + n % 9000
      from unnest(${[cheap.id, dear.id]}::integer[]) as trunk_id, generate_series(1, ${BUY_RATES}::integer) as n
    on conflict do nothing`.execute(services.db)

  const times: Record<string, number> = {}
  async function timed<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> {
    const begun = performance.now()
    const answer = await work()
    times[name] = Math.round(performance.now() - begun)
    return answer
  }
  const { answer } = await timed('preview', () => preview({ with_prefixes: true }))
  const { id, counts } = answer.change
  expect(counts.changed + counts.unchanged + counts.skipped).toBe(ROUTES * (RATES + 1))
  expect(counts.changed).toBeGreaterThan(4_900)
  expect(answer.rows).toHaveLength(50)
  await timed('page', () => rows(id, { show: 'cuts', after: 2_500, limit: 500 }))
  expect((await timed('apply', () => apply(id))).answer.change.state).toBe('applied')
  expect((await timed('undo', () => undo(id))).answer.change).toMatchObject({
    restored: counts.changed,
    left: 0,
  })
  for (const [name, ms] of Object.entries(times))
    expect({ name, ms, isSlow: ms > PATIENCE_MS }).toMatchObject({ isSlow: false })
}, 120_000)
