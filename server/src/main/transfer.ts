import { migrate } from '../platform/migrate.ts'
import type { Profile } from '../platform/profile.ts'
import { readBackup, type Written, writeBackup } from '../platform/transfer/backup-file.ts'
import { type Dump, dumpDatabase } from '../platform/transfer/dump.ts'
import { type Loaded, loadDump, type Told } from '../platform/transfer/load.ts'

/** Copies everything from one database into another, empty one: all or nothing. */
export const moveDatabase = (from: string, to: string, tell: Told): Promise<Loaded> =>
  dumpDatabase(from, (dump) => fill(to, dump, tell))

/** Writes everything a database holds at this moment to a file; the portal may go on meanwhile. */
export const backUp = (from: string, file: string): Promise<Written> =>
  dumpDatabase(from, (dump) => writeBackup(file, dump))

/** Fills an empty database from such a file: all or nothing. Given a profile, what belongs to the other is refused. */
export const restore = (file: string, to: string, tell: Told, profile?: Profile): Promise<Loaded> =>
  readBackup(file, (dump) => fill(to, dump, tell, profile))

/** What an older release wrote is first made as that release had it, then brought up to date as by a start. */
async function fill(to: string, dump: Dump, tell: Told, profile?: Profile): Promise<Loaded> {
  const loaded = await loadDump(to, dump, tell, profile)
  await migrate(to)
  return loaded
}
