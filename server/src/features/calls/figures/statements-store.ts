import type { Dimension } from '@trunkline/contract/analysis'

/** The SQL that adds call records to the figures of the analysis (db/0035_analysis.sql). */

export const FIGURES = [
  ...['calls', 'answered', 'reached', 'rang', 'ring_delay_ms'],
  ...['seconds', 'cost_micros', 'buy_micros'],
] as const

/** Codes caused by the caller or callee: 486 and 600 busy, 480 and 408 no answer, 487 canceled, 603 declined. */
export const UNREACHED = '(408, 480, 486, 487, 600, 603)'

/** The key of a call in each dimension. A call has several carriers, so carriers are added up separately. */
const KEYS: Readonly<Record<Exclude<Dimension, 'carrier'>, string>> = {
  all: `''`,
  country: `coalesce(country, '')`,
  prefix: `coalesce(rate_prefix, '')`,
  route: `coalesce(route_id::text, '')`,
  customer: `coalesce(user_id::text, '')`,
  caller: 'caller_id',
  code: `coalesce(sip_code::text, '')`,
  direction: 'direction',
}
const dimensions = Object.keys(KEYS) as (keyof typeof KEYS)[]

const QUARTER = `date_bin('15 minutes', started_at, 'epoch')`

const SUMS = FIGURES.map((name) => `sum(${name})::bigint as ${name}`).join(', ')

/** Of whole calls: one scan of the records, one grouping per dimension. */
const wholeCalls = (records: string): string => `
  select (array[${dimensions.map((name) => `'${name}'`).join(', ')}])[place] as dimension, quarter,
         (array[${dimensions.map((name) => `${name}_key`).join(', ')}])[place] as key, ${FIGURES.join(', ')}
    from (select quarter, ${dimensions.map((name) => `${name}_key`).join(', ')},
                 ${placeOf()} as place, ${SUMS}
            from (select ${QUARTER} as quarter, ${dimensions.map((name) => `${KEYS[name]} as ${name}_key`).join(', ')},
                         1 as calls, (status = 'completed')::integer as answered,
                         (status in ('completed', 'busy', 'no-answer', 'cancelled'))::integer as reached,
                         (ringing_at is not null)::integer as rang, ${RING_DELAY} as ring_delay_ms,
                         seconds, cost_micros, buy_micros
                    from ${records}) as calls
           group by quarter, grouping sets (${dimensions.map((name) => `(${name}_key)`).join(', ')})) as grouped`

const RING_DELAY = `coalesce(round(extract(epoch from ringing_at - started_at) * 1000), 0)::bigint`

/** The dimension that a row is grouped by, as its place in the list. */
function placeOf(): string {
  const others = (name: string) => `grouping(${name}_key) = 0`
  return `case ${dimensions.map((name, index) => `when ${others(name)} then ${index + 1}`).join(' ')} end`
}

/**
 * One row per attempt at a carrier. The carrier that was tried last has the delay until the phone rang. Calls that a carrier sent to us say
 * nothing about its quality, and negative ids are targets of ring plans.
 */
const eachAttempt = (records: string): string => `
  select started_at, country, trunk_id as trunk, 1 as calls, 1 as answered, 1 as reached,
         (ringing_at is not null)::integer as rang, ${RING_DELAY} as ring_delay_ms, seconds, cost_micros, buy_micros
    from ${records} where status = 'completed' and trunk_id is not null and direction = 'out'
  union all
  select started_at, country, attempt.trunk, 1, 0, (attempt.code in ${UNREACHED})::integer,
         (${DID_RING})::integer, case when ${DID_RING} then ${RING_DELAY} else 0 end, 0, 0, 0
    from ${records} cross join lateral
         (select (one ->> 'trunk')::integer as trunk, (one ->> 'code')::integer as code,
                 place = jsonb_array_length(attempts) as is_last
            from jsonb_array_elements(attempts) with ordinality as each (one, place)) as attempt
   where attempt.code not between 200 and 299 and attempt.trunk > 0 and direction = 'out'`

const attempts = (records: string): string => `
  select 'carrier' as dimension, ${QUARTER} as quarter, trunk::text as key, ${SUMS}
    from (${eachAttempt(records)}) as tried group by 2, 3`

/** Attempts by carrier and country, for the thresholds of routing rules (db/0043_routing_rules.sql). */
const addTrunkQuarters = (records: string): string => `
  insert into trunk_quarters (quarter, trunk_id, country, calls, answered)
  select ${QUARTER} as quarter, trunk, coalesce(country, '') as country, sum(calls), sum(answered)
    from (${eachAttempt(records)}) as tried group by 1, 2, 3 order by 1, 2, 3
  on conflict (quarter, trunk_id, country) do update
  set calls = trunk_quarters.calls + excluded.calls, answered = trunk_quarters.answered + excluded.answered`

const DID_RING = `ringing_at is not null and status <> 'completed' and is_last`

/** The figures of records per quarter of an hour. */
export const quartersOf = (records: string): string => `${wholeCalls(records)} union all ${attempts(records)}`

/** The figures of records per day. */
export const daysOf = (records: string): string => `
  select dimension, date_trunc('day', quarter, 'UTC') as day, key, ${SUMS}
    from (${quartersOf(records)}) as quarters group by 1, 2, 3`

/** Adds to the rows of a table, in the order of its key. */
const addTo = (table: 'figure_quarters' | 'figure_days', period: 'quarter' | 'day', rows: string): string => `
  insert into ${table} (dimension, ${period}, key, ${FIGURES.join(', ')})
  select dimension, ${period}, key, ${FIGURES.join(', ')} from (${rows}) as added order by dimension, ${period}, key
  on conflict (dimension, ${period}, key) do update
  set ${FIGURES.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`

/** Adds at most $1 queued records to the figures and returns their number. */
export const ADD_QUEUED = `/* add_figures */
with taken as (
  delete from unsummed_calls where ctid = any(array(select ctid from unsummed_calls limit $1))
  returning started_at, call_id),
records as materialized (
  select cdrs.* from taken join cdrs using (started_at, call_id)),
quarters as materialized (${quartersOf('records')}),
added_trunk_quarters as (${addTrunkQuarters('records')}),
added_quarters as (${addTo('figure_quarters', 'quarter', 'select * from quarters')}),
added_days as (
  ${addTo('figure_days', 'day', `select dimension, date_trunc('day', quarter, 'UTC') as day, key, ${SUMS} from quarters group by 1, 2, 3`)})
select count(*)::integer as count from taken`
