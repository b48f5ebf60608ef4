import type { Selectable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'
import { DEFAULT_DAYS_KEPT } from './store.ts'

export type RecordingSettingsRow = Selectable<Tables['recording_settings']>

/** Version 0: nobody has changed anything yet. */
const defaultSettings = (userId: number): RecordingSettingsRow => ({
  user_id: userId,
  is_allowed: false,
  records_all: false,
  records_dialed: false,
  announces: true,
  days_kept: DEFAULT_DAYS_KEPT,
  version: 0,
})

export const readRecordingSettings = async (db: Database, userId: number): Promise<RecordingSettingsRow> =>
  (await db.selectFrom('recording_settings').selectAll().where('user_id', '=', userId).executeTakeFirst()) ??
  defaultSettings(userId)

/** Creates the row, so that it can be locked. */
export async function lockRecordingSettings(db: Database, userId: number): Promise<RecordingSettingsRow> {
  await db
    .insertInto('recording_settings')
    .values({ ...defaultSettings(userId) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db
    .selectFrom('recording_settings')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateRecordingSettings(
  db: Database,
  userId: number,
  change: Partial<Omit<RecordingSettingsRow, 'user_id'>>,
): Promise<void> {
  await db.updateTable('recording_settings').set(change).where('user_id', '=', userId).execute()
}
