import type { Owner } from '@trunkline/domain/access'
import type { Database } from '../../platform/database.ts'

/** Settings of the whole service, by name. */
export const WEBSITE_IP = 'websiteip'

export async function findSetting(db: Database, _owner: Owner, name: string): Promise<string | null> {
  const row = await db
    .selectFrom('service_settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value ?? null
}

/** False when it has that value already. Whoever sets it at the same time waits for the first to be done. */
export async function saveSetting(
  db: Database,
  _owner: Owner,
  name: string,
  value: string,
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto('service_settings')
    .values({ name, value, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value, updated_at: now })
        .where('service_settings.value', '<>', value),
    )
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}
