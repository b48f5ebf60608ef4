import { UNREACHED } from '../figures/statements-store.ts'

/**
 * The statement that inserts call records and updates all their sums.
 *
 * Conflicting records are skipped and only inserted records are summed, so a repeated record counts once. The batch is summed before it
 * updates a row, and rows are updated in key order, so two batches cannot deadlock.
 *
 * The records are one JSON parameter. With 34 arrays the round trip of a hundred records is faster (3.2 ms instead of 3.9 ms), but
 * Node's single thread works longer (1.9 ms instead of 1.3 ms).
 */

const RECORD = `
  call_id text, switch_id text, is_demo boolean, user_id integer, status text, reason text, sip_code integer,
  sip_account text, source_address text, device text, caller_id text, dialed text, destination text, country text, line_type text,
  route_id integer, route_name text, plan_name text, rate_prefix text, price_micros bigint, connect_fee_micros bigint,
  first_increment integer, next_increment integer, trunk_id integer, trunk_name text, attempts jsonb,
  started_at timestamptz, ringing_at timestamptz, answered_at timestamptz, ended_at timestamptz,
  seconds integer, billed_seconds integer, cost_micros bigint, buy_micros bigint, hung_up_by text, media jsonb,
  direction text, number_id integer, parent_call_id text, caller_name text, explanation text`

const columns = RECORD.split(',')
  .map((column) => column.trim().split(' ')[0])
  .join(', ')

export const FIGURES = [
  ...['calls', 'completed', 'busy', 'no_answer', 'cancelled', 'failed', 'refused'],
  ...['seconds', 'billed_seconds', 'cost_micros', 'buy_micros'],
] as const

export const TRUNK_FIGURES = [
  'attempts',
  'answered',
  'unreached',
  'seconds',
  'cost_micros',
  'buy_micros',
] as const

/** Aggregates over records. */
export const SUMS = `
  count(*)::integer as calls,
  ${['completed', 'busy', 'no-answer', 'cancelled', 'failed', 'refused']
    .map((status) => `count(*) filter (where status = '${status}')::integer as "${status.replace('-', '_')}"`)
    .join(',\n  ')},
  sum(seconds)::bigint as seconds, sum(billed_seconds)::bigint as billed_seconds,
  sum(cost_micros)::bigint as cost_micros, sum(buy_micros)::bigint as buy_micros`

/** Adds sums to the rows of a table; `keys` is its primary key. */
function addTo(table: string, keys: readonly string[], figures: readonly string[], sums: string): string {
  const added = figures.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')
  return `insert into ${table} (${[...keys, ...figures].join(', ')})
  ${sums} order by ${keys.join(', ')}
  on conflict (${keys.join(', ')}) do update set ${added}`
}

/** Number of shards: few enough to read together, enough to avoid lock contention between writers. */
const SHARD = 'pg_backend_pid() % 16'

/**
 * One row per attempted trunk; the answering trunk has code 0, even if it is not among the attempts. Calls that a carrier sent to us say
 * nothing about its quality. Negative ids are targets of ring plans.
 */
export const TRIED = `
  select started_at, trunk_id, 0 as code, seconds, cost_micros, buy_micros
    from written where status = 'completed' and trunk_id is not null and direction = 'out'
  union all
  select started_at, attempt.trunk, attempt.code, 0, 0, 0
    from written cross join lateral jsonb_to_recordset(attempts) as attempt (trunk integer, code integer)
   where attempt.code not between 200 and 299 and attempt.trunk > 0 and direction = 'out'`

export const TRUNK_SUMS = `
  count(*)::integer as attempts, count(*) filter (where code = 0)::integer as answered,
  count(*) filter (where code in ${UNREACHED})::integer as unreached,
  sum(seconds)::bigint as seconds, sum(cost_micros)::bigint as cost_micros, sum(buy_micros)::bigint as buy_micros`

/** $1 the records as a JSON array. Returns the IDs of the inserted calls. */
export const INSERT_CDRS = `/* cdr_insert */
with given as (
  select * from json_to_recordset($1::json) as given (${RECORD})),
written as (
  insert into cdrs (${columns}) select ${columns} from given order by started_at, call_id
  on conflict (started_at, call_id) do nothing
  returning call_id, user_id, route_id, trunk_id, status, started_at, seconds, billed_seconds, cost_micros, buy_micros,
            country, attempts, direction),
summed as materialized (
  select coalesce(user_id, 0) as user_id, date_trunc('hour', started_at, 'UTC') as hour,
         coalesce(country, '') as country, coalesce(route_id, 0) as route_id, ${SUMS}
    from written group by 1, 2, 3, 4),
by_account_hour as (
  ${addTo('account_hours', ['user_id', 'hour'], FIGURES, `select user_id, hour, ${sumOf(FIGURES)} from summed where user_id > 0 group by user_id, hour`)}),
by_account_day as (
  ${addTo(
    'account_days',
    ['user_id', 'day', 'country', 'route_id'],
    FIGURES,
    `select user_id, date_trunc('day', hour, 'UTC') as day, country, route_id, ${sumOf(FIGURES)}
    from summed where user_id > 0 group by user_id, 2, country, route_id`,
  )}),
by_platform_hour as (
  ${addTo('platform_hours', ['hour', 'shard'], FIGURES, `select hour, ${SHARD} as shard, ${sumOf(FIGURES)} from summed group by hour`)}),
by_platform_day as (
  ${addTo(
    'platform_days',
    ['day', 'shard', 'country', 'route_id'],
    FIGURES,
    `select date_trunc('day', hour, 'UTC') as day, ${SHARD} as shard, country, route_id, ${sumOf(FIGURES)}
    from summed group by 1, country, route_id`,
  )}),
tried as (${TRIED}),
by_trunk as (
  ${addTo(
    'trunk_days',
    ['day', 'shard', 'trunk_id'],
    TRUNK_FIGURES,
    `select date_trunc('day', started_at, 'UTC') as day, ${SHARD} as shard, trunk_id,
         ${TRUNK_SUMS}
    from tried group by 1, trunk_id`,
  )})
select call_id from written`

function sumOf(figures: readonly string[]): string {
  return figures.map((name) => `sum(${name}) as ${name}`).join(', ')
}
