import type { AllUsers } from '@trunkline/domain/access'
import type { Selectable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { updatesRow } from '../../../platform/rows.ts'
import type { StoredSound } from '../../../platform/sound-files.ts'
import type { Tables } from '../../../platform/tables.ts'

export type SoundTable = 'recordings' | 'voicemails'
export type SoundRow = Pick<Selectable<Tables[SoundTable]>, 'id' | 'user_id' | 'file' | 'storage'>

/** Finished sounds in the folder: all, or those of one media process. */
export const listInFolder = (
  db: Database,
  _scope: AllUsers,
  table: SoundTable,
  { mediaId, after, limit }: { mediaId: string | null; after: number; limit: number },
): Promise<SoundRow[]> =>
  db
    .selectFrom(table)
    .select(['id', 'user_id', 'file', 'storage'])
    .where('storage', '=', 'folder')
    .$if(mediaId !== null, (query) => query.where('media_id', '=', mediaId ?? ''))
    .where('state', '<>', 'recording')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** False if it was deleted. */
export const setStorage = (
  db: Database,
  table: SoundTable,
  { id, user_id }: SoundRow,
  storage: StoredSound['storage'],
): Promise<boolean> =>
  updatesRow(db.updateTable(table).set({ storage }).where('id', '=', id).where('user_id', '=', user_id))
