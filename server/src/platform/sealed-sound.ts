import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

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
export function openSound(keys: readonly Buffer[], name: string, file: Buffer): OpenedSound {
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
  const chunks: Buffer[] = []
  let at = HEADER_BYTES
  while (at + CHUNK_HEAD_BYTES <= file.length) {
    const length = file.readUInt32BE(at)
    const end = at + CHUNK_HEAD_BYTES + length
    if (length === 0 || end > file.length) break
    const chunk = openChunk(key, boundTo(name, channels, chunks.length), file.subarray(at, end))
    if (!chunk) {
      if (end === file.length && chunks.length > 0) break
      throw new UnreadableSound(`${name} is damaged in second ${chunks.length + 1}`)
    }
    chunks.push(chunk)
    at = end
  }
  return { channels, samples: Buffer.concat(chunks) }
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
