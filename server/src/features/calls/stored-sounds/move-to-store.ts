import { inBatches } from '../../../platform/in-batches.ts'
import type { SoundFiles, StoredSound } from '../../../platform/sound-files.ts'

type Sound = StoredSound & { id: number; user_id: number }

type Options<Row extends Sound> = {
  sounds: Pick<SoundFiles, 'keep' | 'remove'>
  read: (page: { after: number; limit: number }) => Promise<Row[]>
  /** False if the sound was deleted. */
  setStorage: (row: Row, storage: StoredSound['storage']) => Promise<boolean>
  onError: (error: unknown, row: Row) => void
}

/** Moves finished sounds to the object store. False if one failed: the next run tries it again. */
export async function moveToStore<Row extends Sound>(options: Options<Row>): Promise<boolean> {
  const { sounds, read, setStorage, onError } = options
  let isComplete = true
  await inBatches({
    read,
    each: async (row) => {
      const kept = await sounds.keep(row)
      if (kept.storage === row.storage) return
      // It was deleted meanwhile, when it was not yet in the store.
      if (!(await setStorage(row, kept.storage))) await sounds.remove(kept)
    },
    onError: (error, row) => {
      isComplete = false
      onError(error, row)
    },
  })
  return isComplete
}
