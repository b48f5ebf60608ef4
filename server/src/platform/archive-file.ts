import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'

export type Written = { file: string; sha256: string; rows: number }

const NEWLINE = '\n'.charCodeAt(0)

/**
 * Writes rows to a compressed file and syncs it to disk. It writes to a temporary file first and never overwrites an existing
 * archive.
 */
export async function writeArchive(folder: string, name: string, rows: Readable): Promise<Written> {
  await mkdir(folder, { recursive: true })
  const unfinished = join(folder, `${name}.part`)
  await rm(unfinished, { force: true })
  const handle = await open(unfinished, 'wx', 0o600)
  const hash = createHash('sha256')
  try {
    const packed = createGzip()
    rows.once('error', (error) => packed.destroy(error)).pipe(packed)
    for await (const chunk of packed) {
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    rows.destroy()
    await handle.close()
  }
  const file = await freeName(folder, name)
  await rename(unfinished, join(folder, file))
  await syncFolder(folder)
  return { file, sha256: hash.digest('hex'), rows: await countRows(join(folder, file)) }
}

async function freeName(folder: string, name: string): Promise<string> {
  for (let part = 1; ; part++) {
    const file = `${name}${part === 1 ? '' : `.${part}`}.csv.gz`
    const isThere = await access(join(folder, file)).then(
      () => true,
      () => false,
    )
    if (!isThere) return file
  }
}

/** Makes the rename durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().catch(() => {})
  await handle.close()
}

/** Counts the rows of an archive by reading it back, as verification. Quoted fields can contain line breaks. */
export async function countRows(file: string): Promise<number> {
  const QUOTE = '"'.charCodeAt(0)
  let lines = 0
  let isQuoted = false
  for await (const chunk of createReadStream(file).pipe(createGunzip()) as AsyncIterable<Buffer>)
    for (const byte of chunk) {
      if (byte === QUOTE) isQuoted = !isQuoted
      else if (byte === NEWLINE && !isQuoted) lines++
    }
  return Math.max(0, lines - 1)
}

export async function digestOf(file: string): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  } catch {
    return null
  }
  return hash.digest('hex')
}
