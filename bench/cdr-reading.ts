import type { Dimension } from '@trunkline/contract/analysis'
import {
  type CallRecords,
  createCallRecords,
  type ListQuery,
} from '@trunkline/server/features/calls/cdr/service'
import { createCallFigures } from '@trunkline/server/features/calls/figures/service'
import { createAnalysis } from '@trunkline/server/features/desk/analysis/service'
import { createDashboard } from '@trunkline/server/features/desk/dashboard/service'
import { systemClock } from '@trunkline/server/platform/clock'
import { createExports } from '@trunkline/server/platform/csv'
import type { Database } from '@trunkline/server/platform/database'
import { sql } from 'kysely'
import { mediansOf } from './measure.ts'

/** Measures everything that reads call records or their sums, each for a few seconds. */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)
const MAX_STEPS = 500
const DAY_MS = 24 * 60 * 60_000

/** Medians by measurement name. */
export type Figures = Map<string, number>

export type Filled = { size: number; db: Database; url: string }

/** The services of one database. */
export async function readingSteps(db: Database, url: string): Promise<[string, () => Promise<unknown>][]> {
  const records = createCallRecords(db, systemClock, createExports(url))
  const figures = createCallFigures(db)
  const dashboard = createDashboard({ db, clock: systemClock, figures })
  // An account with a tenth of all calls, and one with a thousandth.
  const [busy, quiet] = [1, 500].map((userId) => ({ userId, isAdmin: false })) as [Who, Who]
  const admin = { userId: 1, isAdmin: true }
  const exports = createExports(url)
  const analysis = createAnalysis({ db, clock: systemClock, figures, exports })
  const analyze = (by: Dimension, days: number, timezone: string) =>
    analysis.read(admin, {
      timezone,
      by,
      from: dayBefore(days - 1),
      to: dayBefore(0),
      grain: days > 90 ? 'week' : 'day',
      sort: 'revenue',
      order: 'desc',
      limit: 50,
    })
  const middle = new Date(Date.now() - 180 * DAY_MS)
  const month = { from: new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 30 * DAY_MS).toISOString() }
  const uneven = { from: new Date(Date.now() - 30 * DAY_MS + 1_234_567).toISOString() }
  const rare = await someDestination(db, middle)
  const deepOf = async (list: (to: string) => ReturnType<CallRecords['list']>) =>
    (await list(middle.toISOString())).next ?? undefined
  const page = { timezone: 'Europe/London', limit: 50 }
  const own = (who: Who, more: Partial<ListQuery> = {}) => records.list(who, { ...page, ...more })
  const all = (more: Partial<ListQuery> = {}) => records.listAll(admin, { ...page, ...more })
  const deep = {
    busy: await deepOf((to) => own(busy, { to })),
    quiet: await deepOf((to) => own(quiet, { to })),
    all: await deepOf((to) => all({ to })),
  }

  return [
    ['page, quiet account', () => own(quiet)],
    ['deep page, quiet account', () => own(quiet, { cursor: deep.quiet })],
    ['page, busy account', () => own(busy)],
    ['deep page, busy account', () => own(busy, { cursor: deep.busy })],
    ['page, everybody', () => all()],
    ['deep page, everybody', () => all({ cursor: deep.all })],
    ['search of a beginning, busy account', () => own(busy, { search: '+448' })],
    ['search of a rare number, busy account', () => own(busy, { search: rare })],
    ['search of a beginning, everybody', () => all({ search: '+448' })],
    ['search of a rare number, everybody', () => all({ search: rare })],
    ['totals of a rare number, everybody', () => records.totalsOfAll(admin, { search: rare })],
    ['page of a common carrier, everybody', () => all({ trunk: 1 })],
    ['page of a rare caller ID, everybody', () => all({ caller_id: '12020000500' })],
    ['page of calls at a loss, of which there are none', () => all({ margin_below: 0 })],
    ['totals of a rare caller ID, everybody', () => records.totalsOfAll(admin, { caller_id: '12020000500' })],
    ['totals of a carrier, capped, everybody', () => records.totalsOfAll(admin, { trunk: 1 })],
    ['totals of a route, everybody', () => records.totalsOfAll(admin, { route: 1 })],
    ['totals of 30 days, busy account', () => records.totals(busy, month)],
    ['totals of 30 days and some minutes, busy account', () => records.totals(busy, uneven)],
    ['totals of all time, busy account', () => records.totals(busy, {})],
    ['totals of 30 days, everybody', () => records.totalsOfAll(admin, month)],
    ['totals of all time, everybody', () => records.totalsOfAll(admin, {})],
    ['totals by length, capped, everybody', () => records.totalsOfAll(admin, { min_duration: 30 })],
    ['stats, busy account', () => dashboard.stats(busy)],
    ['charts, quiet account', () => dashboard.charts(quiet, 'Europe/London')],
    ['charts, busy account', () => dashboard.charts(busy, 'Europe/London')],
    ['charts, everybody', () => dashboard.chartsOfAll(admin, 'Europe/London')],
    ['figures of today', () => dashboard.today(admin, 'Asia/Kolkata')],
    ['business figures of 30 days', () => dashboard.business(admin, { timezone: 'Europe/London', days: 30 })],
    ['analysis of 30 days by country', () => analyze('country', 30, 'Europe/London')],
    ['analysis of 30 days by carrier, in Kolkata', () => analyze('carrier', 30, 'Asia/Kolkata')],
    ['analysis of 30 days by customer', () => analyze('customer', 30, 'Europe/London')],
    ['analysis of 30 days by caller ID, in Kolkata', () => analyze('caller', 30, 'Asia/Kolkata')],
    ['analysis of 30 days by prefix', () => analyze('prefix', 30, 'Europe/London')],
    ['analysis of 30 days by route', () => analyze('route', 30, 'Europe/London')],
    ['analysis of 30 days by SIP code', () => analyze('code', 30, 'Europe/London')],
    ['analysis of 30 days by direction', () => analyze('direction', 30, 'Europe/London')],
    ['analysis of a year by country', () => analyze('country', 365, 'Europe/London')],
    ['analysis of a year by customer', () => analyze('customer', 365, 'Europe/London')],
    ['analysis of a year by caller ID, in Kolkata', () => analyze('caller', 365, 'Asia/Kolkata')],
  ]
}

/** Runs each step whose name has the beginning on every database. */
export async function measureReading(databases: readonly Filled[], beginning: string): Promise<Figures[]> {
  const steps = await Promise.all(databases.map(({ db, url }) => readingSteps(db, url)))
  const all = steps.map((some) => some.filter(([name]) => name.startsWith(beginning)))
  const figures: Figures[] = databases.map(() => new Map())
  for (const [at, [name]] of (all[0] ?? []).entries()) {
    const same = all.map((some) => some[at]?.[1] ?? (async () => {}))
    const times = await mediansOf(same, { mostSteps: MAX_STEPS, mostMs: SECONDS * 1_000 })
    for (const [which, time] of times.entries()) figures[which]?.set(name, time)
  }
  return figures
}

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

type Who = { userId: number; isAdmin: boolean }

async function someDestination(db: Database, before: Date): Promise<string> {
  const { rows } = await sql<{ destination: string }>`
    select destination from cdrs where user_id = 1 and started_at < ${before} order by started_at desc limit 1`.execute(
    db,
  )
  return rows[0]?.destination ?? ''
}
