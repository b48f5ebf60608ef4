import type { AllUsers, Owner } from '@trunkline/domain/access'
import { INNER_LEG_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { type RawBuilder, sql } from 'kysely'
import { DAY, HOUR } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { accountDays } from '../../calls/figures/account-days-store.ts'
import { figureParts, figureSums, IS_QUEUED } from '../../calls/figures/parts-store.ts'
import type { Span } from '../../calls/figures/pieces.ts'

const QUARTER = HOUR / 4

/** Totals of a period, from the sums in db/0006_cdrs.sql: of one account, or of the whole platform. */

export type Figures = {
  calls: number
  completed: number
  seconds: number
  costMicros: bigint
  buyMicros: bigint
}

type FiguresRow = {
  calls: number
  completed: number
  seconds: bigint
  cost_micros: bigint
  buy_micros: bigint
}

const sums = sql`
  coalesce(sum(calls), 0)::integer as calls, coalesce(sum(completed), 0)::integer as completed,
  coalesce(sum(seconds), 0)::bigint as seconds, coalesce(sum(cost_micros), 0)::bigint as cost_micros,
  coalesce(sum(buy_micros), 0)::bigint as buy_micros`

const read = (row: FiguresRow | undefined): Figures => ({
  calls: row?.calls ?? 0,
  completed: row?.completed ?? 0,
  seconds: Number(row?.seconds ?? 0n),
  costMicros: row?.cost_micros ?? 0n,
  buyMicros: row?.buy_micros ?? 0n,
})

const tableFor = (owner: Owner, step: 'hours' | 'days') =>
  sql.table(owner.userId === null ? `platform_${step}` : `account_${step}`)

const whose = (owner: Owner): RawBuilder<unknown> =>
  owner.userId === null ? sql`true` : sql`user_id = ${owner.userId}`

/** All time. */
export async function sumAll(db: Database, owner: Owner): Promise<Figures> {
  const { rows } = await sql<FiguresRow>`
    select ${sums} from ${owner.userId === null ? sql`platform_days` : sql`(${accountDays(owner.userId, {})}) as days`}`.execute(
    db,
  )
  return read(rows[0])
}

export async function countLive(db: Database, owner: Owner): Promise<number> {
  const { rows } = await sql<{ live: number }>`
    select count(*)::integer as live from live_calls where route_id <> ${INNER_LEG_ROUTE_ID} and ${whose(owner)}`.execute(
    db,
  )
  return rows[0]?.live ?? 0
}

export type Hour = Figures & { at: Date }

/** The `count` hours ending with `last`, including empty ones. */
export async function sumByHour(db: Database, owner: Owner, last: Date, count: number): Promise<Hour[]> {
  const { rows } = await sql<FiguresRow & { at: Date }>`
    select at, summed.*
      from generate_series(${last}::timestamptz - (${count - 1} * interval '1 hour'), ${last}, '1 hour') as at
     cross join lateral (
             select ${sums} from ${tableFor(owner, 'hours')} as kept where kept.hour = at and ${whose(owner)}) as summed
     order by at`.execute(db)
  return rows.map((row) => ({ at: row.at, ...read(row) }))
}

export type Period = Figures & { name: string }

type Calendar = { step: 'day' | 'month'; count: number; now: Date; timezone: string }

const LONGEST = { day: DAY, month: 31 * DAY } as const

/** Whether the time zone differs from UTC by part of an hour, now or earlier in these periods. Checks every four weeks. */
function hasPartHours({ step, count, now, timezone }: Calendar): boolean {
  const minute = new Intl.DateTimeFormat('en', { timeZone: timezone, minute: 'numeric' })
  const hour = Math.floor(now.getTime() / HOUR) * HOUR
  const checks = Math.ceil((count * LONGEST[step]) / (28 * DAY)) + 1
  return Array.from({ length: checks }, (_, index) => minute.format(hour - index * 28 * DAY)).some(
    (text) => Number(text) !== 0,
  )
}

/**
 * The calls between a moment at which a period begins or ends and the next full hour: from the figures, and the records that they do not
 * include yet.
 */
const restsOfHours = (owner: Owner): RawBuilder<unknown> => sql`
  select edge, parts.*
    from (select edge, date_trunc('hour', edge, 'UTC') + interval '1 hour' as hour_ends
            from (select begins as edge from period union select ends from period) as edges
           where edge <> date_trunc('hour', edge, 'UTC')) as within_hours
   cross join lateral (
           select calls, answered as completed, seconds, cost_micros, buy_micros
             from figure_quarters
            where dimension = ${owner.userId === null ? 'all' : 'customer'} and key = ${String(owner.userId ?? '')}
              and quarter >= edge and quarter < hour_ends
           union all
           select 1, (status = 'completed')::integer, seconds, cost_micros, buy_micros
             from cdrs
            where started_at >= edge and started_at < hour_ends and ${whose(owner)} and ${sql.raw(IS_QUEUED)}) as parts`

/** The days or months up to and including `now` in the time zone. */
export async function sumByCalendar(db: Database, owner: Owner, calendar: Calendar): Promise<Period[]> {
  const { step, count, now, timezone } = calendar
  const length = sql.raw(`interval '1 ${step}'`)
  const ofAll = { from: sql`(select min(first_day) from cut)`, to: sql`(select max(last_day) from cut)` }
  const ofAccount =
    owner.userId === null ? sql`` : sql`, days as materialized (${accountDays(owner.userId, ofAll)})`
  const days = sql.table(owner.userId === null ? 'platform_days' : 'days')
  const figures = sql`calls, completed, seconds, cost_micros, buy_micros`
  const hours = (from: string, to: string) => sql`
    select ${figures} from ${tableFor(owner, 'hours')}
     where hour >= ${sql.ref(from)} and hour < ${sql.ref(to)} and ${whose(owner)}`
  // Hourly sums count an hour for the period in which it begins. If another period begins within that hour, its rest moves there.
  // Months that were archived by a release without figures keep whole hours.
  const isMoving = hasPartHours(calendar)
  const rests = isMoving ? sql`, rests as materialized (${restsOfHours(owner)})` : sql``
  const moved = isMoving
    ? sql`
      union all select at, ${figures} from period join rests on edge = begins
      union all select at, -calls, -completed, -seconds, -cost_micros, -buy_micros from period join rests on edge = ends`
    : sql``
  // Uses daily sums for complete UTC days, and hourly sums at both ends.
  const { rows } = await sql<FiguresRow & { name: string }>`
    with period as (
      select at, at at time zone ${timezone} as begins, (at + ${length}) at time zone ${timezone} as ends
        from (select date_trunc(${step}, ${now}::timestamptz at time zone ${timezone}) as this) as running,
             generate_series(this - ${count - 1} * ${length}, this, ${length}) as at),
    cut as (
      select *, greatest(first_day, date_trunc('day', ends, 'UTC')) as last_day
        from (select *, least(ends, date_trunc('day', begins + interval '1 day' - interval '1 microsecond', 'UTC')) as first_day
                from period) as begun)${ofAccount}${rests}
    select to_char(at, ${step === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM'}) as name, ${sums}
      from (select at, summed.*
              from cut cross join lateral (
                     select ${sums} from (select ${figures} from ${days} where day >= first_day and day < last_day
                                          union all ${hours('begins', 'first_day')}
                                          union all ${hours('last_day', 'ends')}) as parts) as summed${moved}) as parts
     group by at order by at`.execute(db)
  return rows.map((row) => ({ name: row.name, ...read(row) }))
}

/** Most used first, without calls that had no route. */
export async function sumByRoute(
  db: Database,
  owner: Owner,
  from: Date,
): Promise<(Figures & { routeId: number; name: string | null })[]> {
  const { rows } = await sql<FiguresRow & { route_id: number; name: string | null }>`
    select route_id, (select name from routes where routes.id = route_id) as name, ${sums}
      from ${tableFor(owner, 'days')} where ${whose(owner)} and day >= ${from} and route_id > 0
     group by route_id order by calls desc, route_id`.execute(db)
  return rows.map((row) => ({ routeId: row.route_id, name: row.name, ...read(row) }))
}

export async function sumByCountry(
  db: Database,
  owner: Owner,
  from: Date,
  most: number,
): Promise<(Figures & { country: string })[]> {
  const { rows } = await sql<FiguresRow & { country: string }>`
    select country, ${sums} from ${tableFor(owner, 'days')}
     where ${whose(owner)} and day >= ${from} and country <> ''
     group by country order by cost_micros desc, calls desc, country limit ${most}`.execute(db)
  return rows.map((row) => ({ country: row.country, ...read(row) }))
}

/** From the figures of the analysis: a month of all accounts by country and route would be far more rows. */
export async function sumByCustomer(
  db: Database,
  _scope: AllUsers,
  span: Span,
  { most, now }: { most: number; now: Date },
): Promise<(Figures & { userId: number; username: string })[]> {
  const { rows } = await sql<FiguresRow & { user_id: number; username: string }>`
    select top.*, answered as completed, users.username
      from (select key::integer as user_id, ${figureSums} from (${figureParts(span, { by: 'customer', now })}) as parts
             where key <> '' group by key having sum(calls) > 0
             order by cost_micros desc, calls desc, user_id limit ${most}) as top
      join users on users.id = top.user_id
     order by cost_micros desc, calls desc, user_id`.execute(db)
  return rows.map((row) => ({ userId: row.user_id, username: row.username, ...read(row) }))
}

/** The day in the time zone until now, and the same part of yesterday and of the day a week ago. */
export async function daysUntilNow(db: Database, now: Date, timezone: string): Promise<[Span, Span, Span]> {
  const { rows } = await sql<Span>`
    select (date_trunc('day', local) - days * interval '1 day') at time zone ${timezone} as from,
           (local - days * interval '1 day') at time zone ${timezone} as to
      from (select ${now}::timestamptz at time zone ${timezone} as local) as here,
           unnest(array[0, 1, 7]) as days
     order by days`.execute(db)
  const [today, yesterday, lastWeek] = rows
  if (!(today && yesterday && lastWeek)) throw new Error('three days are expected')
  return [today, yesterday, lastWeek]
}

/** All customers. Uses hourly sums for complete hours, and records at both ends. */
export async function sumBetween(db: Database, _scope: AllUsers, { from, to }: Span): Promise<Figures> {
  const end = new Date(Math.max(from.getTime(), to.getTime()))
  const firstHour = new Date(Math.min(end.getTime(), Math.ceil(from.getTime() / HOUR) * HOUR))
  const lastHour = new Date(Math.max(firstHour.getTime(), Math.floor(end.getTime() / HOUR) * HOUR))
  const records = (begins: Date, ends: Date) => sql`
    select 1 as calls, (status = 'completed')::integer as completed, seconds, cost_micros, buy_micros
      from cdrs where started_at >= ${begins} and started_at < ${ends}`
  const { rows } = await sql<FiguresRow>`
    select ${sums} from (
      select calls, completed, seconds, cost_micros, buy_micros
        from platform_hours where hour >= ${firstHour} and hour < ${lastHour}
      union all ${records(from, firstHour)}
      union all ${records(lastHour, end)}) as parts`.execute(db)
  return read(rows[0])
}

/**
 * Average seconds until a call rang, of all customers. Null if none rang. Uses the figures of the analysis, and records for the quarter of
 * an hour that has begun. The period begins with a quarter.
 */
export async function averageDelay(
  db: Database,
  _scope: AllUsers,
  { from, to }: Span,
  now: Date,
): Promise<number | null> {
  const lastQuarter = new Date(Math.max(from.getTime(), Math.floor(to.getTime() / QUARTER) * QUARTER))
  const { rows } = await sql<{ seconds: number | null }>`
    select round(sum(ring_delay_ms) / nullif(sum(rang), 0) / 1000, 1)::double precision as seconds
      from (select rang, ring_delay_ms::numeric from (${figureParts({ from, to: lastQuarter }, { by: 'all', now })}) as summed
            union all
            select 1, round(extract(epoch from ringing_at - started_at) * 1000) from cdrs
             where started_at >= ${lastQuarter} and started_at < ${to} and ringing_at is not null) as parts`.execute(
    db,
  )
  return rows[0]?.seconds ?? null
}
