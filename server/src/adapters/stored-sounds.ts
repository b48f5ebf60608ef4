import { type FileHandle, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Channels, openSound, sealChunk, soundHeader } from '../platform/sealed-sound.ts'
import type { SoundFiles, SoundWriter, StoredSound } from '../platform/sound-files.ts'
import type { ObjectStore } from './object-store.ts'

const SAMPLES_PER_SECOND = 8_000
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}$/

type Settings = {
  folder: string
  /** The first key encrypts new files; files with any of the keys can be read. */
  keys: readonly [Buffer, ...Buffer[]]
  objects: ObjectStore | null
}

/** Encrypted files in a folder, moved to an object store once they are finished, if there is one. */
export function createStoredSounds({ folder, keys, objects }: Settings): SoundFiles {
  const pathOf = (name: string): string => {
    if (!NAME.test(name)) throw new Error(`not a name of a sound file: ${name}`)
    return join(folder, name)
  }
  const readLocal = (name: string): Promise<Buffer<ArrayBuffer> | null> =>
    readFile(pathOf(name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
  const bucket = (): ObjectStore => {
    if (!objects) throw new Error('this sound is in an object store: set SOUND_S3_URL to read it')
    return objects
  }

  return {
    create: (name, channels) => createWriter(pathOf(name), folder, name, channels, keys[0]),

    // A process can be killed after the move and before its row says so, so both places are tried.
    async read({ file, storage }) {
      const local = await readLocal(file)
      const bytes = local ?? (storage === 's3' ? await bucket().get(file) : await objects?.get(file))
      return bytes ? openSound(keys, file, bytes) : null
    },

    async remove({ file, storage }) {
      await rm(pathOf(file), { force: true })
      if (storage === 's3') await bucket().remove(file)
      else await objects?.remove(file)
    },

    async keep(sound): Promise<StoredSound> {
      if (!objects || sound.storage === 's3') return sound
      const bytes = await readLocal(sound.file)
      if (bytes) await objects.put(sound.file, bytes)
      else if (!(await objects.get(sound.file))) return sound
      await rm(pathOf(sound.file), { force: true })
      return { file: sound.file, storage: 's3' }
    },
  }
}

/** Appends return at once. Writes happen in order, and an error of one is thrown by `close`. */
function createWriter(
  path: string,
  folder: string,
  name: string,
  channels: Channels,
  key: Buffer,
): SoundWriter {
  const second = SAMPLES_PER_SECOND * channels
  const waiting = new Uint8Array(second)
  let waitingBytes = 0
  let totalBytes = 0
  let chunks = 0
  let handle: FileHandle | null = null
  let written: Promise<void> = (async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    handle = await open(path, 'wx', 0o600)
    await handle.appendFile(soundHeader(key, channels))
  })()
  const opened = written
  // `close` reports it. Without this handler, Node ends the process.
  written.catch(() => {})

  const seal = () => {
    const chunk = sealChunk(key, name, channels, chunks++, waiting.subarray(0, waitingBytes))
    waitingBytes = 0
    written = written.then(() => handle?.appendFile(chunk))
    written.catch(() => {})
  }

  return {
    opened: () => opened,
    append(samples) {
      for (let at = 0; at < samples.length; ) {
        const part = samples.subarray(at, at + second - waitingBytes)
        waiting.set(part, waitingBytes)
        waitingBytes += part.length
        at += part.length
        if (waitingBytes === second) seal()
      }
      totalBytes += samples.length
    },
    async close() {
      if (waitingBytes > 0) seal()
      try {
        await written
        await handle?.sync()
      } finally {
        await handle?.close()
      }
      return totalBytes / channels
    },
  }
}
