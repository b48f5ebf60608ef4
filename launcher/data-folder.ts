import { access, constants, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UserError } from './user-error.ts'

/** The folder given by --data, else by TRUNKLINE_DATA. */
export const dataFolderOf = (given: string | undefined): string =>
  resolve(given ?? (process.env.TRUNKLINE_DATA || 'data'))

/** Parses the arguments of a command whose only option is --data. */
export function readDataOption(args: string[], usage: string): string {
  try {
    return dataFolderOf(parseArgs({ args, options: { data: { type: 'string' } } }).values.data)
  } catch {
    throw new UserError(usage)
  }
}

/**
 * Locks the data folder for this process. The lock file holds the process ID and its start time, so that a stale lock
 * is detected even if the process ID has been reused.
 */
export async function lockDataFolder(folder: string): Promise<() => Promise<void>> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw new UserError(`Cannot write to the data folder ${folder}. Choose another folder with --data.`)
  }
  const file = join(folder, 'trunkline.pid')
  const complete = `${file}.${process.pid}`
  try {
    await writeFile(complete, `${process.pid} ${await startTimeOf(process.pid)}`)
    // A link appears with its content, so no other start reads an empty lock.
    while (!(await isLinked(complete, file))) {
      const lock = await readFile(file, 'utf8').catch(() => '')
      const [pid = '', startTime = ''] = lock.split(' ')
      if (startTime !== '' && (await startTimeOf(Number(pid))) === startTime)
        throw new UserError(
          `Another Trunkline (process ${pid}) is using the data folder ${folder}. Stop it, or choose another folder with --data.`,
        )
      await rm(file, { force: true })
    }
  } finally {
    await rm(complete, { force: true })
  }
  return () => rm(file, { force: true })
}

async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Start time in clock ticks since boot (field 22 of /proc/PID/stat); empty if there is no such process. */
async function startTimeOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name in parentheses and may contain spaces.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
