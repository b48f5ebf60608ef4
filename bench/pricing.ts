import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allCountries } from '@trunkline/domain/countries'
import { callingCode } from '@trunkline/domain/numbers'
import { loadConfig } from '@trunkline/server/app/config'
import { createLogger } from '@trunkline/server/app/logger'
import { createServices, type Services } from '@trunkline/server/app/services'
import { systemClock } from '@trunkline/server/platform/clock'
import { type Database, openDatabase } from '@trunkline/server/platform/database'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { migrate } from '@trunkline/server/platform/migrate'
import { sql } from 'kysely'
import { fillRecords } from './cdr-rows.ts'
import { median } from './measure.ts'

/** Rate decks, bulk pricing and the simulation of routing rules at the size of a large carrier. See README.md. */

const [deckRates = 20_000, prices = 20_000, calls = 100_000] = process.argv.slice(2).map(Number)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const only = process.env.BENCH_ONLY
const BUY_RATES = 50_000
const ROUTES = 200
const WEEK = 7
const admin = { userId: 1, isAdmin: true }

const folder = await mkdtemp(join(tmpdir(), 'trunkline-bench-'))
const postgres = await startEmbeddedPostgres(folder)
try {
  await migrate(postgres.url)
  const db = openDatabase({ url: postgres.url, poolSize: 1, onError: () => {} })
  await fillRecords(db, calls, new Date(), WEEK)
  await fillCatalogue(db)
  await db.destroy()
  const logger = createLogger({ level: 'silent', file: null })
  const services = await createServices(loadConfig({ DATABASE_URL: postgres.url }), systemClock, logger)
  if (!only || only === 'deck') await measureDeck(services)
  if (!only || only === 'prices') await measurePrices(services)
  if (!only || only === 'simulation') await measureSimulation(services)
  await services.close()
} finally {
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

/** Two carriers with many rates, and one route in each of many countries with prefix rates. All routes belong to one plan. */
async function fillCatalogue(db: Database): Promise<void> {
  const countries = allCountries()
    .map(({ code }) => ({ code, digits: callingCode(code) ?? '' }))
    .filter(({ digits }) => digits.length > 1)
    .slice(0, ROUTES)
  const codes = countries.map(({ code }) => code)
  const digits = countries.map((country) => country.digits)
  for (const statement of [
    sql`update users set is_admin = true where id = 1`,
    sql`insert into plans (name, created_at) values ('Gold', current_timestamp)`,
    sql`insert into trunks (name, host, buy_rate_micros, priority, created_at, updated_at)
        select 'Carrier ' || n, 'sip.example', 4000 + n, n, current_timestamp, current_timestamp from generate_series(1, 4) as n`,
    sql`insert into trunk_plans (trunk_id, plan_id) select trunks.id, plans.id from trunks, plans`,
    sql`insert into routes (country, name, plan_id, price_micros, created_at, updated_at)
        select code, 'Route ' || code, (select id from plans), 20000, current_timestamp, current_timestamp
          from unnest(${codes}::text[]) as given (code)`,
    sql`insert into route_rates (route_id, prefix, price_micros)
        select routes.id, digits || (1000 + n), 30000 + n
          from routes join unnest(${codes}::text[], ${digits}::text[]) as given (code, digits) on code = country,
               generate_series(1, ${Math.floor(prices / ROUTES) - 1}::integer) as n`,
    sql`insert into trunk_rates (trunk_id, prefix, price_micros)
        select trunk, (20000 + n)::text, 1000 + n % 9000
          from generate_series(1, 2) as trunk, generate_series(1, ${BUY_RATES}::integer) as n`,
    // The calls of the benchmark belong to the first routes.
    sql`update cdrs set country = (select country from routes where routes.id = route_id)`,
  ])
    await statement.execute(db)
  await sql`analyze`.execute(db)
}

async function measureDeck({ rateDecks }: Services): Promise<void> {
  const times: Record<string, number[]> = {}
  for (let round = 0; round < ROUNDS; round++) {
    const lines = Array.from({ length: deckRates }, (_, n) => `${30_000 + n},0.0${100 + ((n + round) % 900)}`)
    const given = { deck: `prefix,price\n${lines.join('\n')}\n`, mode: 'merge' as const }
    const { token } = await timed(times, `deck of ${deckRates} rates: preview`, () =>
      rateDecks.check(admin, 'trunk', 3, { ...given, search: '' }),
    )
    await timed(times, `deck of ${deckRates} rates: apply`, () =>
      rateDecks.apply(admin, 'trunk', 3, { ...given, token, without_bad_lines: false }),
    )
  }
  print(times)
}

async function measurePrices({ bulkPricing }: Services): Promise<void> {
  const times: Record<string, number[]> = {}
  const rule = { percent: 20, floor: 0, lowest: 0, step: 0.001, basis: 'dearest' as const }
  const scope = { plans: [], countries: [], with_prefixes: true, with_free: false }
  for (let round = 0; round < ROUNDS; round++) {
    const { change } = await timed(times, `${prices} prices: preview`, () =>
      bulkPricing.preview(admin, { ...rule, ...scope }),
    )
    await timed(times, `${prices} prices: page of the preview`, () =>
      bulkPricing.rows(admin, change.id, { show: 'cuts', after: 0, limit: 50 }),
    )
    await timed(times, `${prices} prices: apply`, () => bulkPricing.apply(admin, change.id))
    await timed(times, `${prices} prices: undo`, () => bulkPricing.undo(admin, change.id))
  }
  print(times)
}

async function measureSimulation({ routingSimulations }: Services): Promise<void> {
  const times: Record<string, number[]> = {}
  const quality = { min_asr: 30, min_calls: 20, window_minutes: 60 as const, rest_minutes: 30 }
  for (const mode of ['cost', 'share', 'order'] as const)
    for (let round = 0; round < ROUNDS; round++) {
      const trunks = [1, 2].map((id) => ({ id, percent: mode === 'share' ? 50 : null }))
      const { calls: counted, replayed } = await timed(times, `last week by ${mode}`, () =>
        routingSimulations.run(admin, {
          plan_id: 1,
          country: null,
          mode,
          trunks: mode === 'cost' ? [] : trunks,
          quality,
          days: WEEK,
        }),
      )
      if (round === 0) console.log(`${mode}: ${counted} calls, ${replayed} replayed`)
    }
  print(times)
}

async function timed<Answer>(
  times: Record<string, number[]>,
  name: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const began = performance.now()
  const answer = await work()
  times[name] = [...(times[name] ?? []), performance.now() - began]
  return answer
}

function print(times: Record<string, number[]>): void {
  for (const [name, took] of Object.entries(times))
    console.log(`${name.padEnd(44)} ${(median(took) / 1_000).toFixed(2).padStart(7)} s`)
}
