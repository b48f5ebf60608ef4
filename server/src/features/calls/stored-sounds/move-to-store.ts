import type { AllUsers } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'
import { inBatches } from '../../../platform/in-batches.ts'
import type { SoundFiles } from '../../../platform/sound-files.ts'
import { listInFolder, type SoundRow, type SoundTable, setStorage } from './folder-store.ts'

type Options = {
  db: Database
  scope: AllUsers
  table: SoundTable
  /** Null: the sounds of all media processes. */
  mediaId: string | null
  sounds: Pick<SoundFiles, 'keep' | 'remove'>
  onError: (error: unknown, row: SoundRow) => void
}

/** Moves finished sounds to the object store. False if one failed: the next run tries it again. */
export async function moveToStore(options: Options): Promise<boolean> {
  const { db, scope, table, mediaId, sounds, onError } = options
  let isComplete = true
  await inBatches({
    read: (page) => listInFolder(db, scope, table, { mediaId, ...page }),
    each: async (row) => {
      const kept = await sounds.keep(row)
      if (kept.storage === row.storage) return
      // It was deleted meanwhile, when it was not yet in the store.
      if (!(await setStorage(db, table, row, kept.storage))) await sounds.remove(kept)
    },
    onError: (error, row) => {
      isComplete = false
      onError(error, row)
    },
  })
  return isComplete
}
