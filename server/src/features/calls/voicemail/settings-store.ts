import type { Selectable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'
import { DEFAULT_DAYS_KEPT } from './store.ts'

type Settings = Selectable<Tables['voicemail_settings']>

/** Version 0: the customer has changed nothing yet. */
const defaultSettings = (userId: number): Settings => ({
  user_id: userId,
  greeting_sound_id: null,
  greeting_text: '',
  language: 'en',
  mails: false,
  attaches: true,
  days_kept: DEFAULT_DAYS_KEPT,
  version: 0,
})

export const readVoicemailSettings = async (db: Database, userId: number): Promise<Settings> =>
  (await db.selectFrom('voicemail_settings').selectAll().where('user_id', '=', userId).executeTakeFirst()) ??
  defaultSettings(userId)

/** False if somebody else has saved the settings since the given version. */
export async function saveVoicemailSettings(
  db: Database,
  { version, user_id: userId, ...fields }: Settings,
): Promise<boolean> {
  if (version === 0) {
    const inserted = await db
      .insertInto('voicemail_settings')
      .values({ ...fields, user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('version')
      .executeTakeFirst()
    return inserted !== undefined
  }
  const updated = await db
    .updateTable('voicemail_settings')
    .set({ ...fields, version: version + 1 })
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst()
  return updated !== undefined
}
