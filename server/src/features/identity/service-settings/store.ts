import type { Database } from '../../../platform/database.ts'
import { findsRow } from '../../../platform/rows.ts'

/** Names of service-wide settings. */
export const WEBSITE_IP = 'websiteip'

const named = (db: Database, name: string) =>
  db.selectFrom('service_settings').select('value').where('name', '=', name)

export const findSetting = async (db: Database, name: string): Promise<string | null> =>
  (await named(db, name).executeTakeFirst())?.value ?? null

/** Serializes changes. */
export const lockSetting = async (db: Database, name: string): Promise<string | null> =>
  (await named(db, name).forUpdate().executeTakeFirst())?.value ?? null

/** False if it already has this value. Concurrent changes wait for each other. */
export const saveSetting = (db: Database, name: string, value: string, now: Date): Promise<boolean> =>
  findsRow(
    db
      .insertInto('service_settings')
      .values({ name, value, updated_at: now })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ value, updated_at: now })
          .where('service_settings.value', '<>', value),
      )
      .returning('name'),
  )

/** The value, which is stored now if there is none. */
export async function findOrAddSetting(
  db: Database,
  name: string,
  value: string,
  now: Date,
): Promise<string> {
  await db
    .insertInto('service_settings')
    .values({ name, value, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await findSetting(db, name)) ?? value
}

export async function deleteSetting(db: Database, name: string): Promise<void> {
  await db.deleteFrom('service_settings').where('name', '=', name).execute()
}
