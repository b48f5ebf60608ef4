import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const KEY_BYTES = 32

/** 32 bytes in hex or base64. Null for anything else. */
export function parseSoundKey(text: string): Buffer | null {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex')
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null
  const key = Buffer.from(text, 'base64')
  return key.length === KEY_BYTES ? key : null
}

/** The key in the file. The first process creates it, readable only by its own user. */
export function soundKeyFromFile(path: string): Buffer {
  if (!existsSync(path)) createKeyFile(path)
  const key = parseSoundKey(readFileSync(path, 'utf8').trim())
  if (!key) throw new Error(`${path} does not contain a key of 32 bytes`)
  return key
}

/** The link appears with its content and fails if another process was faster. */
function createKeyFile(path: string): void {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(unfinished, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(unfinished, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished)
  }
}
