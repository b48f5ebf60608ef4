import type { AnalysisFigures, Dimension, Grain } from '@trunkline/contract/analysis'
import type { AllUsers } from '@trunkline/domain/access'
import {
  FLOW_LEG_ROUTE_ID,
  INCOMING_ROUTE_ID,
  INTERNAL_ROUTE_ID,
  MAILBOX_ROUTE_ID,
} from '@trunkline/domain/callcontrol'
import { allCountries } from '@trunkline/domain/countries'
import { type RawBuilder, sql } from 'kysely'
import { HOUR } from '../../../platform/clock.ts'
import { type CsvFile, dollarsOf, escapeFormula, quoted } from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import { figureColumns, figureParts, figureSums, type Selected } from '../../calls/figures/parts-store.ts'
import type { Span } from '../../calls/figures/pieces.ts'

/** Reads the figures of the analysis (db/0035_analysis.sql, db/0053_weekly_figures.sql). */

export type Figures = {
  calls: number
  answered: number
  reached: number
  rang: number
  ringDelayMs: number
  seconds: number
  costMicros: bigint
  buyMicros: bigint
}

type FiguresRow = Record<'calls' | 'answered' | 'reached' | 'rang', number> &
  Record<'ring_delay_ms' | 'seconds' | 'cost_micros' | 'buy_micros', bigint>

const read = (row: FiguresRow | undefined): Figures => ({
  calls: row?.calls ?? 0,
  answered: row?.answered ?? 0,
  reached: row?.reached ?? 0,
  rang: row?.rang ?? 0,
  ringDelayMs: Number(row?.ring_delay_ms ?? 0n),
  seconds: Number(row?.seconds ?? 0n),
  costMicros: row?.cost_micros ?? 0n,
  buyMicros: row?.buy_micros ?? 0n,
})

export async function sumOf(db: Database, _scope: AllUsers, span: Span, what: Selected): Promise<Figures> {
  const { rows } = await sql<FiguresRow>`
    select ${figureSums} from (${figureParts(span, what)}) as parts`.execute(db)
  return read(rows[0])
}

export type Row = Figures & { key: string; name: string | null }

/** SQL for the name of a key. Null if it does not exist any more. */
const countryNames = JSON.stringify(Object.fromEntries(allCountries().map(({ code, name }) => [code, name])))
const NAMES: Readonly<Record<Dimension, string>> = {
  all: 'key',
  carrier: '(select name from trunks where id = key::integer)',
  country: `('${quoted(countryNames)}'::jsonb ->> key)`,
  prefix: 'key',
  route: `case key when '${INCOMING_ROUTE_ID}' then 'Incoming' when '${INTERNAL_ROUTE_ID}' then 'Internal'
    when '${FLOW_LEG_ROUTE_ID}' then 'Flow' when '${MAILBOX_ROUTE_ID}' then 'Voicemail'
    else (select name from routes where id = nullif(key, '')::integer) end`,
  customer: `(select username from users where id = nullif(key, '')::integer)`,
  caller: 'key',
  code: 'key',
  direction: `case key when 'in' then 'Incoming' else 'Outgoing' end`,
}

const ORDERS: Readonly<Record<keyof AnalysisFigures, string>> = {
  calls: 'calls',
  answered: 'answered',
  minutes: 'seconds',
  answer_rate: 'answered::double precision / calls',
  reach_rate: 'reached::double precision / calls',
  average_duration: 'seconds::double precision / nullif(answered, 0)',
  post_dial_delay: 'ring_delay_ms::double precision / nullif(rang, 0)',
  revenue: 'cost_micros',
  cost: 'buy_micros',
  margin: 'cost_micros - buy_micros',
}

export type Sorting = { sort: keyof AnalysisFigures; order: 'asc' | 'desc' }

const sortedBy = ({ sort, order }: Sorting): RawBuilder<unknown> =>
  sql.raw(`${ORDERS[sort]} ${order} nulls last, calls desc, key`)

/** One row per key with calls. */
const byKey = (span: Span, what: Selected): RawBuilder<unknown> => sql`
  select key, ${figureSums} from (${figureParts(span, what)}) as parts group by key having sum(calls) > 0`

export async function listRows(
  db: Database,
  _scope: AllUsers,
  span: Span,
  { by, now, limit, ...sorting }: { by: Dimension; now: Date; limit: number } & Sorting,
): Promise<{ rows: Row[]; count: number }> {
  const { rows } = await sql<FiguresRow & { key: string; name: string | null; row_count: number }>`
    select ${sql.raw(NAMES[by])} as name, top.*
      from (select *, (count(*) over ())::integer as row_count from (${byKey(span, { by, now })}) as keyed
             order by ${sortedBy(sorting)} limit ${limit}) as top
     order by ${sortedBy(sorting)}`.execute(db)
  return {
    rows: rows.map((row) => ({ key: row.key, name: row.name, ...read(row) })),
    count: rows[0]?.row_count ?? 0,
  }
}

export async function sumByKeys(
  db: Database,
  _scope: AllUsers,
  span: Span,
  what: Selected,
): Promise<Map<string, Figures>> {
  const { rows } = await sql<FiguresRow & { key: string }>`${byKey(span, what)}`.execute(db)
  return new Map(rows.map((row) => [row.key, read(row)]))
}

/** All rows as CSV. */
export function fileOfRows(
  db: Database,
  _scope: AllUsers,
  span: Span,
  { by, now, ...sorting }: { by: Dimension; now: Date } & Sorting,
): CsvFile {
  const share = (part: string) => `round(100.0 * ${part} / calls, 1)`
  const file: CsvFile['columns'] = [
    [by, escapeFormula('key')],
    ['name', escapeFormula(NAMES[by])],
    ['calls', 'calls'],
    ['answered', 'answered'],
    ['minutes', 'round(seconds / 60.0, 2)'],
    ['asr', share('answered')],
    ['ner', share('reached')],
    ['acd', 'round(seconds::numeric / nullif(answered, 0), 1)'],
    ['pdd', 'round(ring_delay_ms / 1000.0 / nullif(rang, 0), 1)'],
    ['revenue', dollarsOf('cost_micros')],
    ['cost', dollarsOf('buy_micros')],
    ['margin', dollarsOf('(cost_micros - buy_micros)')],
  ]
  const query = sql`
    select ${sql.raw(file.map(([, expression]) => expression).join(', '))}
      from (${byKey(span, { by, now })}) as keyed order by ${sortedBy(sorting)}`
  return { columns: file, query: query.compile(db) }
}

export type Periods = {
  asked: Span
  before: Span
  beforeDays: { from: string; to: string }
  isPartial: boolean
}

/**
 * The period in the time zone, and the same number of days before it. If the period is not over, the one before ends at the same time of
 * day, rounded down to a quarter of an hour.
 */
export async function periodsOf(
  db: Database,
  { from, to, timezone, now }: { from: string; to: string; timezone: string; now: Date },
): Promise<Periods> {
  const { rows } = await sql<{
    begins: Date
    ends: Date
    before_begins: Date
    before_ends: Date
    before_from: string
    before_to: string
    is_partial: boolean
  }>`
    select begins, ends, (first - days) at time zone ${timezone} as before_begins,
           case when is_partial then date_bin('15 minutes', (local - days) at time zone ${timezone}, 'epoch')
                else (last - days) at time zone ${timezone} end as before_ends,
           to_char(first - days, 'YYYY-MM-DD') as before_from,
           to_char(last - days - interval '1 day', 'YYYY-MM-DD') as before_to, is_partial
      from (select *, local >= first and local < last as is_partial,
                   first at time zone ${timezone} as begins, last at time zone ${timezone} as ends,
                   make_interval(days => (last::date - first::date)) as days
              from (select ${from}::date::timestamp as first, ${to}::date::timestamp + interval '1 day' as last,
                           ${now}::timestamptz at time zone ${timezone} as local) as given) as period`.execute(
    db,
  )
  const row = rows[0]
  if (!row) throw new Error('one row is expected')
  return {
    asked: { from: row.begins, to: row.ends },
    before: { from: row.before_begins, to: row.before_ends },
    beforeDays: { from: row.before_from, to: row.before_to },
    isPartial: row.is_partial,
  }
}

export type Step = Figures & { at: string }

/** The hours, days, weeks or months of a period that have begun, oldest first. */
export async function sumBySteps(
  db: Database,
  _scope: AllUsers,
  { from, to }: Span,
  {
    by,
    key,
    grain,
    timezone,
    now,
  }: { by: Dimension; key: string; grain: Grain; timezone: string; now: Date },
): Promise<Step[]> {
  const local = (moment: Date) => sql`(${moment}::timestamptz at time zone ${timezone})`
  const length = sql.raw(`interval '1 ${grain}'`)
  // An hour is a length of time. Longer steps follow the calendar, and the first and the last may be cut.
  const steps =
    grain === 'hour'
      ? sql`select to_char(begins at time zone ${timezone}, 'YYYY-MM-DD"T"HH24:MI') as at, begins, begins + ${length} as ends
              from generate_series(${from}::timestamptz, ${new Date(to.getTime() - HOUR)}::timestamptz, ${length}) as begins`
      : sql`select to_char(greatest(step, ${local(from)}), 'YYYY-MM-DD') as at,
                   greatest(step, ${local(from)}) at time zone ${timezone} as begins,
                   least(step + ${length}, ${local(to)}) at time zone ${timezone} as ends
              from generate_series(date_trunc(${grain}, ${local(from)}), ${local(to)} - interval '1 second', ${length}) as step`
  const part = (table: 'figure_days' | 'figure_quarters', begins: string, ends: string) => {
    const at = sql.ref(table === 'figure_days' ? 'day' : 'quarter')
    return sql`
      select ${figureColumns} from ${sql.table(table)}
       where dimension = ${by} and key = ${key} and ${at} >= ${sql.ref(begins)} and ${at} < ${sql.ref(ends)}`
  }
  const { rows } = await sql<FiguresRow & { at: string }>`
    with step as materialized (${steps}),
    cut as (
      select *, greatest(first_day, date_trunc('day', ends, 'UTC')) as last_day
        from (select *, least(ends, date_trunc('day', begins + interval '1 day' - interval '1 microsecond', 'UTC')) as first_day
                from step) as begun)
    select at, summed.*
      from cut cross join lateral (
             select ${figureSums} from (${part('figure_days', 'first_day', 'last_day')}
                                  union all ${part('figure_quarters', 'begins', 'first_day')}
                                  union all ${part('figure_quarters', 'last_day', 'ends')}) as parts) as summed
     where begins <= ${now}
     order by begins`.execute(db)
  return rows.map((row) => ({ at: row.at, ...read(row) }))
}
