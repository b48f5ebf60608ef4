import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { findsRow } from '../../../platform/rows.ts'

export type TrunkReport = { switchId: string; trunkId: number; isUp: boolean; code: number; at: Date }

/** Stores the health that a switch reported. Returns true for only one of several call controls if it has changed. */
export async function saveTrunkHealth(db: Database, report: TrunkReport): Promise<boolean> {
  const { rows } = await sql<{ is_news: boolean }>`
    insert into trunk_health as known (switch_id, trunk_id, is_up, code, since, checked_at)
    select ${report.switchId}, id, ${report.isUp}::boolean, ${report.code}::integer, ${report.at}::timestamptz, ${report.at}
      from trunks where id = ${report.trunkId}
    on conflict (switch_id, trunk_id) do update
       set is_up = excluded.is_up, code = excluded.code, checked_at = excluded.checked_at,
           since = case when known.is_up = excluded.is_up then known.since else excluded.since end
     where known.checked_at < excluded.checked_at
    returning since = ${report.at} as is_news`.execute(db)
  return rows[0]?.is_news ?? false
}

/** Whether the trunk is down at any switch. A replaced switch leaves its last report behind, so only switches seen since then count. */
export const isTrunkDown = (db: Database, trunkId: number, seenSince: Date): Promise<boolean> =>
  findsRow(
    db
      .selectFrom('trunk_health')
      .innerJoin('switches', 'switches.switch_id', 'trunk_health.switch_id')
      .select('trunk_health.switch_id')
      .where('trunk_id', '=', trunkId)
      .where('is_up', '=', false)
      .where('last_seen_at', '>', seenSince),
  )
