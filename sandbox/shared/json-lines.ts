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
  /** Replaces the file atomically. */
  rewrite(records: T[]): void
}

/**
 * An append-only file with one JSON record per line.
 *
 * Writes are synchronous: when `append` returns, the record survives a kill -9, and the file keeps the order of events.
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
  // End a truncated last line, or the next record would be appended to it.
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

/** Skips a truncated line, which was never acknowledged. */
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
