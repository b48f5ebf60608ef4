import type { Updateable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { NEXT_VERSION } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type AlertSettingsRow = Awaited<ReturnType<typeof readAlertSettings>>
export type AlertSettingsChange = Omit<Updateable<Tables['alert_settings']>, 'is_only' | 'version'>

const settings = (db: Database) =>
  db
    .selectFrom('alert_settings')
    .leftJoin('users', 'users.id', 'alert_settings.updated_by')
    .selectAll('alert_settings')
    .select('users.username as clerk_name')

export const readAlertSettings = (db: Database) => settings(db).executeTakeFirstOrThrow()

/** Serializes changes. */
export const lockAlertSettings = (db: Database): Promise<AlertSettingsRow> =>
  settings(db).forUpdate('alert_settings').executeTakeFirstOrThrow()

export async function updateAlertSettings(db: Database, change: AlertSettingsChange): Promise<void> {
  await db
    .updateTable('alert_settings')
    .set({ ...change, version: NEXT_VERSION })
    .execute()
}
