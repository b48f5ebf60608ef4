import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a program is, also in the folders for administrators, which ordinary users of Debian do not search; null when it is not installed. */
export function placeOf(program: string): string | null {
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
