import {
  appendFileSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

interface JsonLines<T> {
  append(record: T): void
  /** Replaces the whole file, atomically: a kill in the middle leaves the old file. */
  rewrite(records: T[]): void
}

/**
 * An append-only file of one JSON record a line, and what it held so far.
 *
 * Writes are synchronous on purpose: once `append` returned, the record is with the operating system and
 * survives a kill -9 of this process, and the order in the file is the order of the events.
 */
export function openJsonLines<T>(path: string): { file: JsonLines<T>; records: T[] } {
  mkdirSync(dirname(path), { recursive: true })
  const text = readIfThere(path)
  const records = parseLines<T>(text)
  const rewrite = (all: T[]) => {
    const draft = `${path}.new`
    const handle = openSync(draft, 'w')
    writeFileSync(handle, all.map((record) => `${JSON.stringify(record)}\n`).join(''))
    fsyncSync(handle)
    closeSync(handle)
    renameSync(draft, path)
  }
  // A torn last line would swallow the record that is appended next.
  if (text !== '' && !text.endsWith('\n')) rewrite(records)
  return {
    file: { append: (record) => appendFileSync(path, `${JSON.stringify(record)}\n`), rewrite },
    records,
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** A kill can tear the last line; what cannot be read was never acknowledged to anybody. */
function parseLines<T>(text: string): T[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return []
    try {
      return [JSON.parse(line) as T]
    } catch {
      return []
    }
  })
}
