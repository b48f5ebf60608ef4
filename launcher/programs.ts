import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of a program, or null. It also searches /usr/sbin, which is not in an ordinary Debian user's PATH. */
export function pathOf(program: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  return folders.map((folder) => join(folder, program)).find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
