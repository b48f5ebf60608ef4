import { access, constants, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { UserError } from './user-error.ts'

/** The one that --data names, or else the environment. */
export const dataFolderOf = (given: string | undefined): string =>
  resolve(given ?? (process.env.TRUNKLINE_DATA || 'data'))

/**
 * Claims the data folder for this process. The claim names the process and when it began, so that one left
 * behind by a kill -9 or a power cut is recognised even when its number has been given to somebody else.
 */
export async function claimDataFolder(folder: string): Promise<() => Promise<void>> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw new UserError(`The data folder ${folder} cannot be written to. Choose another one with --data.`)
  }
  const file = join(folder, 'trunkline.pid')
  const mine = `${process.pid} ${await beganAt(process.pid)}`
  for (;;) {
    try {
      await writeFile(file, mine, { flag: 'wx' })
      return () => rm(file, { force: true })
    } catch {
      const claim = await readFile(file, 'utf8').catch(() => '')
      const [pid = '', began = ''] = claim.split(' ')
      if (began !== '' && (await beganAt(Number(pid))) === began)
        throw new UserError(`Another Trunkline (process ${pid}) is running on the data folder ${folder}.`)
      await rm(file, { force: true })
    }
  }
}

/** When a process began, in clock ticks since boot; empty when there is none. Field 22 of /proc/PID/stat. */
async function beganAt(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name in brackets and may hold spaces.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
