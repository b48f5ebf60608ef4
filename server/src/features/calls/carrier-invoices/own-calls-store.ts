import type { AllUsers } from '@trunkline/domain/access'
import type { OwnCall } from '@trunkline/domain/carrier-invoices'
import { micros } from '@trunkline/domain/money'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

type Row = {
  call_id: string
  destination: string
  started: number
  answered: number
  seconds: number
  buy_micros: bigint
}

/**
 * Answered calls of a carrier that started in [from, to). An answered call has the carrier that answered in `trunk_id`, so failed
 * attempts at other carriers do not count. Calls that the carrier sent to us have another price list. Times are numbers, because parsing a timestamp takes longer than the query.
 */
export async function listOwnCalls(
  db: Database,
  _scope: AllUsers,
  { trunkId, from, to, limit }: { trunkId: number; from: Date; to: Date; limit: number },
): Promise<OwnCall[]> {
  const { rows } = await sql<Row>`
    select call_id, destination, seconds, buy_micros,
           (extract(epoch from started_at) * 1000)::float8 as started,
           (extract(epoch from answered_at) * 1000)::float8 as answered
      from cdrs
     where started_at >= ${from} and started_at < ${to} and trunk_id = ${trunkId} and status = 'completed' and direction = 'out'
     limit ${limit}`.execute(db)
  return rows.map((row) => ({
    callId: row.call_id,
    number: row.destination,
    startedAt: row.started,
    answeredAt: row.answered,
    seconds: row.seconds,
    costMicros: micros(row.buy_micros),
  }))
}

/** Whether records of calls that started in [from, to) were archived. */
export async function hasArchivedCalls(db: Database, from: Date, to: Date): Promise<boolean> {
  const { rows } = await sql`
    select from archives where source = 'cdrs' and begins < ${to} and ends > ${from} limit 1`.execute(db)
  return rows.length > 0
}
