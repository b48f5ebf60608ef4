import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { findsRow } from '../../../platform/rows.ts'

export type RegistrationReport = { switchId: string; trunkId: number; isRegistered: boolean; at: Date }

/** Returns true for only one of several call controls if the state is new. */
export async function saveTrunkRegistration(db: Database, report: RegistrationReport): Promise<boolean> {
  const { rows } = await sql`
    insert into trunk_registrations as known (switch_id, trunk_id, is_registered, since)
    select ${report.switchId}, id, ${report.isRegistered}::boolean, ${report.at}::timestamptz
      from trunks where id = ${report.trunkId}
    on conflict (switch_id, trunk_id) do update
       set is_registered = excluded.is_registered, since = excluded.since
     where known.is_registered <> excluded.is_registered and known.since < excluded.since
    returning 1`.execute(db)
  return rows.length > 0
}

/** Whether any switch that was seen since then is not registered at the carrier. */
export const isUnregistered = (db: Database, trunkId: number, seenSince: Date): Promise<boolean> =>
  findsRow(
    db
      .selectFrom('trunk_registrations')
      .innerJoin('switches', 'switches.switch_id', 'trunk_registrations.switch_id')
      .select('trunk_registrations.switch_id')
      .where('trunk_id', '=', trunkId)
      .where('is_registered', '=', false)
      .where('last_seen_at', '>', seenSince),
  )

/** Forgets trunks at which no switch registers any more. Returns their ids. */
export async function forgetTrunkRegistrations(
  db: Database,
  registering: readonly number[],
): Promise<number[]> {
  const rows = await db
    .deleteFrom('trunk_registrations')
    .where('trunk_id', '<>', sql<number>`all(${registering}::integer[])`)
    .returning('trunk_id')
    .execute()
  return [...new Set(rows.map(({ trunk_id }) => trunk_id))]
}
