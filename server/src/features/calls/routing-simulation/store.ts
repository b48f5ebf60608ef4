import type { AllUsers } from '@trunkline/domain/access'
import type { Rate } from '@trunkline/domain/rating'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { readRate } from '../../catalogue/prefix-rates/store.ts'

/** A call record to replay. */
export type PastCall = {
  callId: string
  startedAt: number
  destination: string
  country: string
  routeId: number
  rate: Rate
  /** The trunk of the first attempt, and the trunk that answered. */
  firstTrunkId: number
  trunkId: number | null
  isAnswered: boolean
  seconds: number
  costMicros: bigint
  buyMicros: bigint
}

export type Period = { from: Date; to: Date }

/** The calls of routes in a period, refused ones included. Both times are multiples of a quarter of an hour. */
export async function countCalls(
  db: Database,
  _scope: AllUsers,
  routeIds: readonly number[],
  { from, to }: Period,
): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select coalesce(sum(calls), 0)::integer as calls from figure_quarters
     where dimension = 'route' and key = any(${routeIds.map(String)}) and quarter >= ${from} and quarter < ${to}`.execute(
    db,
  )
  return rows[0]?.calls ?? 0
}

/**
 * At most `most` calls with an attempt at a trunk. If there are more, each quarter of an hour has a part in proportion to its calls. The
 * figures of the routes name the quarters with calls, so other quarters are not read.
 */
export async function sampleCalls(
  db: Database,
  _scope: AllUsers,
  routeIds: readonly number[],
  { from, to }: Period,
  most: number,
): Promise<PastCall[]> {
  type Row = {
    call_id: string
    started_at: Date
    destination: string
    country: string
    route_id: number
    price_micros: bigint
    connect_fee_micros: bigint
    first_increment: number
    next_increment: number
    first_trunk: number
    trunk_id: number | null
    status: string
    seconds: number
    cost_micros: bigint
    buy_micros: bigint
  }
  const { rows } = await sql<Row>`
    with slots as materialized (
      select quarter, sum(calls) as calls, sum(sum(calls)) over () as total, count(*) over () as slots
        from figure_quarters
       where dimension = 'route' and key = any(${routeIds.map(String)}) and quarter >= ${from} and quarter < ${to}
       group by quarter)
    select call.*
      from slots cross join lateral (
        select call_id, started_at, destination, country, route_id, price_micros, connect_fee_micros, first_increment,
               next_increment, coalesce((attempts -> 0 ->> 'trunk')::integer, trunk_id) as first_trunk, trunk_id, status,
               seconds, cost_micros, buy_micros
          from cdrs
         where started_at >= slots.quarter and started_at < slots.quarter + interval '15 minutes'
           and route_id = any(${routeIds}::integer[]) and status <> 'refused' and price_micros is not null
           and (trunk_id is not null or attempts <> '[]')
         order by started_at
         limit case when total <= ${most}::integer then ${most}::integer
                    else ceil(slots.calls * greatest(1, ${most}::integer - slots) / total) end) as call
     order by call.started_at limit ${most}`.execute(db)
  return rows.map((row) => ({
    callId: row.call_id,
    startedAt: row.started_at.getTime(),
    destination: row.destination,
    country: row.country,
    routeId: row.route_id,
    rate: readRate(row),
    firstTrunkId: row.first_trunk,
    trunkId: row.trunk_id,
    isAnswered: row.status === 'completed',
    seconds: row.seconds,
    costMicros: row.cost_micros,
    buyMicros: row.buy_micros,
  }))
}

export async function nameTrunks(db: Database, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('trunks')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
