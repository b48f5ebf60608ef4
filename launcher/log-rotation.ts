import { copyFile, rm, stat, truncate } from 'node:fs/promises'

/** Empties a log that has grown too large, and keeps one copy. On a full disk it keeps none. */
export async function rotateLog(file: string, maxBytes: number): Promise<void> {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size < maxBytes) return
  const copy = `${file}.1`
  // An incomplete copy would keep the disk full.
  await copyFile(file, copy).catch(() => rm(copy, { force: true }))
  await truncate(file)
}
