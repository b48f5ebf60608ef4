import {
  FIGURES,
  SUMS,
  TRIED,
  TRUNK_FIGURES,
  TRUNK_SUMS,
} from '@trunkline/server/features/calls/cdr/insert-store'
import {
  FIGURES as ANALYSIS_FIGURES,
  quartersOf,
} from '@trunkline/server/features/calls/figures/statements-store'
import type { Database } from '@trunkline/server/platform/database'
import { sql } from 'kysely'

/** Generates a year of call records and their sums in SQL. */

export const ACCOUNTS = 1_000
const DAYS = 365
/** Rows per statement, so that progress is visible and no statement takes minutes. */
const AT_ONCE = 500_000

export async function fillRecords(db: Database, rows: number, now: Date, days = DAYS): Promise<void> {
  await sql`set statement_timeout = 0`.execute(db)
  await sql`insert into users (username, password_hash, created_at)
            select 'bench' || n, '', ${now} from generate_series(1, ${ACCOUNTS}::integer) as n`.execute(db)
  for (let month = 0; month <= 12; month++)
    await sql`select make_cdr_month(${now}::timestamptz - ${month} * interval '1 month')`.execute(db)
  await sql`alter table cdrs disable trigger cdrs_unsummed`.execute(db)
  // Evenly over the year, oldest first. One account has a tenth of all calls.
  for (let from = 1; from <= rows; from += AT_ONCE)
    await sql`
      insert into cdrs (call_id, switch_id, is_demo, user_id, status, reason, sip_code, sip_account, source_address, caller_id,
        dialed, destination, country, line_type, route_id, route_name, plan_name, rate_prefix, price_micros, connect_fee_micros,
        first_increment, next_increment, trunk_id, trunk_name, attempts, started_at, ringing_at, answered_at, ended_at,
        seconds, billed_seconds, cost_micros, buy_micros, hung_up_by)
      select 'sw1/' || n || '-' || substr(md5(n::text), 1, 16) || '@192.0.2.10', 'sw1', false, user_id,
             case when is_answered then 'completed' when dice < 0.8 then 'no-answer' else 'busy' end,
             case when is_answered then 'hung_up_by_caller' when dice < 0.8 then 'no_answer' else 'busy' end,
             case when is_answered then 200 else 480 end,
             'bench' || user_id, '192.0.2.' || (user_id % 250), (12020000000 + user_id)::text,
             '+' || number, number, (array['GB', 'US', 'DE', 'FR', 'IN', 'CA', 'AU'])[place], 'landline',
             place, 'Gold CLI', 'Gold CLI', left(number, 3), 10000, 0, 1, 1,
             case when is_answered then 1 + n % 4 end, case when is_answered then 'Carrier ' || (1 + n % 4) end,
             case when is_answered then '[]'::jsonb
                  else '[{"trunk": 1, "name": "Carrier 1", "code": 480, "reason": ""}]'::jsonb end,
             at, at + interval '2 seconds', case when is_answered then at + interval '5 seconds' end,
             at + (5 + seconds) * interval '1 second', seconds, seconds,
             (10000 * seconds + 59) / 60, (4000 * seconds + 59) / 60, case when is_answered then 'caller' end
        from (select n, dice, dice < 0.6 as is_answered, 1 + floor(random() * 7)::integer as place,
                     case when dice < 0.6 then 1 + floor(random() * 300)::integer else 0 end as seconds,
                     (44000000000 + floor(random() * 56000000000)::bigint)::text as number,
                     case when random() < 0.1 then 1 else 1 + floor(random() * ${ACCOUNTS})::integer end as user_id,
                     ${now}::timestamptz - (${rows} - n) * (${days} * interval '1 day' / ${rows}) as at
                from (select n, random() as dice from generate_series(${from}::integer, ${Math.min(rows, from + AT_ONCE - 1)}::integer) as n
                     ) as numbered offset 0) as made`.execute(db)
  await fillSums(db)
  await sql`alter table cdrs enable trigger cdrs_unsummed`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

/** The days that the measured periods begin and end on, which are read by quarters of an hour. */
const READ_BY_QUARTER = [
  [-3, 1],
  [-33, -27],
  [-63, -57],
  [-368, -362],
] as const

/** Generates the figures of a year of calls without their records. Figures by quarters exist only where a measurement reads them. */
export async function fillFigures(db: Database, rows: number, now: Date): Promise<void> {
  await sql`set statement_timeout = 0`.execute(db)
  await sql`insert into users (username, password_hash, created_at)
            select 'bench' || n, '', ${now} from generate_series(1, ${ACCOUNTS}::integer) as n`.execute(db)
  await sql`create unlogged table made as
    select ${now}::timestamptz - random() * ${DAYS} * interval '1 day' as at, random() as dice,
           case when random() < 0.1 then 1 else 1 + floor(random() * ${ACCOUNTS})::integer end as user_id
      from generate_series(1, ${rows}::integer)`.execute(db)
  const records = (startedAt: string, where: string) => `(
    select ${startedAt} as started_at, (array['GB', 'US', 'DE', 'FR', 'IN', 'CA', 'AU'])[1 + user_id % 7] as country,
           (440 + floor(random() * 560))::text as rate_prefix, 1 + user_id % 7 as route_id, user_id, (12020000000 + user_id)::text as caller_id,
           'out' as direction, case when dice < 0.6 then 200 else 480 end as sip_code,
           case when dice < 0.6 then 'completed' else 'no-answer' end as status, at + interval '2 seconds' as ringing_at,
           case when dice < 0.6 then 60 else 0 end as seconds, case when dice < 0.6 then 10000 else 0 end as cost_micros,
           case when dice < 0.6 then 4000 else 0 end as buy_micros, case when dice < 0.6 then 1 + user_id % 4 end as trunk_id,
           '[]'::jsonb as attempts
      from made where ${where}) as records`
  const figures = ANALYSIS_FIGURES.join(', ')
  const isRead = READ_BY_QUARTER.map(
    ([first, last]) =>
      `at between date_trunc('day', now(), 'UTC') + interval '${first} days' and date_trunc('day', now(), 'UTC') + interval '${last} days'`,
  ).join(' or ')
  for (const statement of [
    `insert into figure_days (dimension, day, key, ${figures})
     select dimension, quarter, key, ${figures} from (${quartersOf(records(`date_trunc('day', at, 'UTC')`, 'true'))}) as days order by 1, 2, 3`,
    `insert into figure_quarters (dimension, quarter, key, ${figures})
     select dimension, quarter, key, ${figures} from (${quartersOf(records('at', isRead))}) as quarters order by 1, 2, 3`,
    'drop table made',
  ])
    await sql.raw(statement).execute(db)
  await sql`vacuum analyze`.execute(db)
}

async function fillSums(db: Database): Promise<void> {
  const [hour, day] = ['hour', 'day'].map((step) => `date_trunc('${step}', started_at, 'UTC')`)
  const place = `coalesce(country, ''), coalesce(route_id, 0)`
  const figures = FIGURES.join(', ')
  const ofAnalysis = ANALYSIS_FIGURES.join(', ')
  const added = ANALYSIS_FIGURES.map((name) => `sum(${name})`).join(', ')
  for (const statement of [
    `insert into account_hours (user_id, hour, ${figures}) select user_id, ${hour}, ${SUMS} from cdrs group by 1, 2 order by 2`,
    `insert into account_days (user_id, day, country, route_id, ${figures})
       select user_id, ${day}, ${place}, ${SUMS} from cdrs group by 1, 2, 3, 4 order by 2`,
    `insert into platform_hours (hour, shard, ${figures}) select ${hour}, 0, ${SUMS} from cdrs group by 1`,
    `insert into platform_days (day, shard, country, route_id, ${figures})
       select ${day}, 0, ${place}, ${SUMS} from cdrs group by 1, 3, 4`,
    `insert into trunk_days (day, shard, trunk_id, ${TRUNK_FIGURES.join(', ')})
       select ${day}, 0, trunk_id, ${TRUNK_SUMS} from (${TRIED.replaceAll('written', 'cdrs')}) as tried group by 1, 3`,
    // In the order in which calls fill them, so that the rows of a quarter of an hour are side by side.
    `insert into figure_quarters (dimension, quarter, key, ${ofAnalysis})
       select dimension, quarter, key, ${ofAnalysis} from (${quartersOf('cdrs')}) as quarters order by quarter, dimension, key`,
    `insert into figure_days (dimension, day, key, ${ofAnalysis})
       select dimension, date_trunc('day', quarter, 'UTC'), key, ${added} from figure_quarters group by 1, 2, 3 order by 2, 1, 3`,
  ])
    await sql.raw(statement).execute(db)
}
