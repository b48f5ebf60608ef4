import { createObjectStore } from '../adapters/object-store.ts'
import { createStoredSounds } from '../adapters/stored-sounds.ts'
import type { SoundFiles } from '../platform/sound-files.ts'
import { soundKeyFromFile } from '../platform/sound-key.ts'
import type { Config } from './config.ts'

/** The key is read on first use, so a process that needs no sounds creates no key. */
export function createSounds({ folder, keys, keyFile, s3 }: Config['sounds']): SoundFiles {
  let files: SoundFiles | null = null
  const open = (): SoundFiles => {
    if (!folder) throw new Error('SOUND_FOLDER is missing: voicemail and recordings need it')
    const [first, ...others] = keys
    const key = first ?? (keyFile && soundKeyFromFile(keyFile))
    if (!key) throw new Error('SOUND_KEY is missing: voicemail and recordings need it')
    return createStoredSounds({
      folder,
      keys: [key, ...others],
      objects: s3 && createObjectStore(s3),
    })
  }
  const ready = (): SoundFiles => (files ??= open())
  return {
    create: (name, channels) => ready().create(name, channels),
    read: async (file) => ready().read(file),
    remove: async (file) => ready().remove(file),
    keep: async (file) => ready().keep(file),
  }
}
