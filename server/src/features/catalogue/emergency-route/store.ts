import { type Insertable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'

export const findEmergencyRoute = (db: Database) =>
  db
    .selectFrom('emergency_route')
    .innerJoin('trunks', 'trunks.id', 'emergency_route.trunk_id')
    .selectAll('emergency_route')
    .select(['trunks.name as trunk_name', 'trunks.status as trunk_status'])
    .executeTakeFirst()

export async function saveEmergencyRoute(
  db: Database,
  route: Omit<Insertable<Tables['emergency_route']>, 'id'>,
): Promise<void> {
  await db
    .insertInto('emergency_route')
    .values(route)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(route))
    .execute()
}

export async function deleteEmergencyRoute(db: Database): Promise<void> {
  await db.deleteFrom('emergency_route').execute()
}

/** Serializes changes, even if there is no row yet. */
export async function lockEmergencyRoute(db: Database): Promise<void> {
  await sql`lock table emergency_route in share row exclusive mode`.execute(db)
}

/** Prevents deletion until the end of the transaction. */
export const holdTrunk = (db: Database, id: number) =>
  db.selectFrom('trunks').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
