import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { yieldToEventLoop } from './event-loop.ts'

/**
 * The format of a stored sound: a header, then sealed chunks of at most one second.
 *
 *     header  "TLSOUND1", one byte for the coding (1: A-law), one byte for the channels, 8 bytes of the key's hash
 *     chunk   4 bytes length, 12 bytes nonce, 16 bytes tag, ciphertext (AES-256-GCM)
 *
 * The file name, the channels and the chunk's position are authenticated, so chunks cannot change places.
 */
const MAGIC = Buffer.from('TLSOUND1')
const ALAW = 1
const KEY_ID_BYTES = 8
const HEADER_BYTES = MAGIC.length + 2 + KEY_ID_BYTES
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CHUNK_HEAD_BYTES = 4 + NONCE_BYTES + TAG_BYTES

/** About 5 ms of work between two turns of the event loop. */
const CHUNKS_PER_TURN = 300

export type Channels = 1 | 2

const keyId = (key: Buffer): Buffer =>
  createHash('sha256').update('sound key').update(key).digest().subarray(0, KEY_ID_BYTES)

const boundTo = (name: string, channels: Channels, position: number): Buffer =>
  Buffer.from(`${name}\n${channels}\n${position}`)

export const soundHeader = (key: Buffer, channels: Channels): Buffer =>
  Buffer.concat([MAGIC, Buffer.from([ALAW, channels]), keyId(key)])

export function sealChunk(
  key: Buffer,
  name: string,
  channels: Channels,
  position: number,
  samples: Uint8Array,
): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(boundTo(name, channels, position))
  const sealed = Buffer.concat([cipher.update(samples), cipher.final()])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(sealed.length)
  return Buffer.concat([length, nonce, cipher.getAuthTag(), sealed])
}

/** The file exists, but its sound cannot be read. */
export class UnreadableSound extends Error {}

export type OpenedSound = { channels: Channels; samples: Uint8Array }

/** Opens a file. An incomplete chunk at the end belongs to a process that was killed and is left out. */
export async function openSound(keys: readonly Buffer[], name: string, file: Buffer): Promise<OpenedSound> {
  if (file.length < HEADER_BYTES) return { channels: 1, samples: new Uint8Array() }
  const channels = file[MAGIC.length + 1]
  if (!file.subarray(0, MAGIC.length).equals(MAGIC) || (channels !== 1 && channels !== 2))
    throw new UnreadableSound(`${name} is not a sound file`)
  const id = file.subarray(MAGIC.length + 2, HEADER_BYTES)
  const key = keys.find((one) => keyId(one).equals(id))
  if (!key)
    throw new UnreadableSound(
      `${name} was encrypted with another key: add that key to SOUND_KEY, after the current one`,
    )
  const samples = Buffer.allocUnsafe(file.length)
  let length = 0
  let position = 0
  let at = HEADER_BYTES
  while (at + CHUNK_HEAD_BYTES <= file.length) {
    const sealed = file.readUInt32BE(at)
    const end = at + CHUNK_HEAD_BYTES + sealed
    if (sealed === 0 || end > file.length) break
    const chunk = openChunk(key, boundTo(name, channels, position), file.subarray(at, end))
    if (!chunk) {
      if (end === file.length && position > 0) break
      throw new UnreadableSound(`${name} is damaged in second ${position + 1}`)
    }
    length += chunk.copy(samples, length)
    at = end
    if (++position % CHUNKS_PER_TURN === 0) await yieldToEventLoop()
  }
  return { channels, samples: samples.subarray(0, length) }
}

function openChunk(key: Buffer, bound: Buffer, chunk: Buffer): Buffer | null {
  const tagAt = 4 + NONCE_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, chunk.subarray(4, tagAt))
  decipher.setAAD(bound)
  decipher.setAuthTag(chunk.subarray(tagAt, CHUNK_HEAD_BYTES))
  try {
    return Buffer.concat([decipher.update(chunk.subarray(CHUNK_HEAD_BYTES)), decipher.final()])
  } catch {
    return null
  }
}
