import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { StoredSound } from '../../../platform/sound-files.ts'

export type MailboxMessage = { id: number; isNew: boolean; stored: StoredSound }

/** New messages in order of arrival, then the others, newest first. */
export async function listMailbox(db: Database, userId: number): Promise<MailboxMessage[]> {
  const rows = await db
    .selectFrom('voicemails')
    .select(['id', 'state', 'file', 'storage'])
    .where('user_id', '=', userId)
    .where('state', 'in', ['new', 'read'])
    .orderBy(sql`state = 'new'`, 'desc')
    .orderBy(sql`case when state = 'new' then started_at end`)
    .orderBy('started_at', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ id, state, file, storage }) => ({
    id,
    isNew: state === 'new',
    stored: { file, storage },
  }))
}
