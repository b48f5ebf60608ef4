import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'

export type TrunkFigures = {
  trunkId: number
  name: string
  attempts: number
  answered: number
  unreached: number
  seconds: number
  costMicros: bigint
  buyMicros: bigint
}

export async function sumByTrunk(db: Database, from: Date): Promise<TrunkFigures[]> {
  type Row = Omit<Tables['trunk_days'], 'day' | 'shard'> & { name: string | null }
  const { rows } = await sql<Row>`
    select trunk_id, (select name from trunks where trunks.id = trunk_id) as name,
           sum(attempts)::integer as attempts, sum(answered)::integer as answered,
           sum(unreached)::integer as unreached, sum(seconds)::bigint as seconds,
           sum(cost_micros)::bigint as cost_micros, sum(buy_micros)::bigint as buy_micros
      from trunk_days where day >= ${from} group by trunk_id order by attempts desc, trunk_id`.execute(db)
  return rows.map((row) => ({
    trunkId: row.trunk_id,
    name: row.name ?? `Trunk ${row.trunk_id}`,
    attempts: row.attempts,
    answered: row.answered,
    unreached: row.unreached,
    seconds: Number(row.seconds),
    costMicros: row.cost_micros,
    buyMicros: row.buy_micros,
  }))
}
