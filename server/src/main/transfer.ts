import { migrate } from '../platform/migrate.ts'
import type { Profile } from '../platform/profile.ts'
import { readBackup, type Written, writeBackup } from '../platform/transfer/backup-file.ts'
import { type Dump, dumpDatabase } from '../platform/transfer/dump.ts'
import { type Loaded, loadDump, type OnTableLoaded } from '../platform/transfer/load.ts'

/** Copies a database into an empty one, in one transaction. */
export const moveDatabase = (from: string, to: string, onTable: OnTableLoaded): Promise<Loaded> =>
  dumpDatabase(from, (dump) => fill(to, dump, onTable))

/** Writes a snapshot of a database to a file. The portal can keep running. */
export const backUp = (from: string, file: string): Promise<Written> =>
  dumpDatabase(from, (dump) => writeBackup(file, dump))

/** Restores a backup into an empty database, in one transaction. With a profile, a backup of the other profile is refused. */
export const restore = (
  file: string,
  to: string,
  onTable: OnTableLoaded,
  profile?: Profile,
): Promise<Loaded> => readBackup(file, (dump) => fill(to, dump, onTable, profile))

/** Creates the tables of the dump's release, loads the rows and applies newer migrations. */
async function fill(to: string, dump: Dump, onTable: OnTableLoaded, profile?: Profile): Promise<Loaded> {
  const loaded = await loadDump(to, dump, onTable, profile)
  await migrate(to)
  return loaded
}
