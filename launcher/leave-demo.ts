import { parseArgs } from 'node:util'
import { leaveDemo as closeDemo } from '@trunkline/server/main/leave-demo'
import { claimDataFolder, dataFolderOf } from './data-folder.ts'
import { hasDatabase, reachDatabase } from './database.ts'
import { explain, UserError } from './user-error.ts'

const USAGE = 'Usage: ./trunkline leave-demo [--data DIR]'

/** `leave-demo`: makes the database of a demo one that production takes. The portal is stopped. */
export async function leaveDemo(args: string[]): Promise<void> {
  const data = readData(args)
  if (!hasDatabase(data)) throw new UserError(`There is no Trunkline database in ${data}.`)
  const release = process.env.DATABASE_URL ? async () => {} : await claimDataFolder(data)
  try {
    const database = await reachDatabase(data)
    try {
      const closed = await closeDemo(database.url)
      process.stdout.write(
        [
          `Demo accounts closed: ${closed.join(', ') || 'none'}. The demo carriers are switched off.`,
          'Calls and postings of the demo stay in reports and books. Look through routes, plans and trunks, then make an administrator of your own: ./trunkline admin create NAME',
          'From now on this database belongs to production.',
          '',
        ].join('\n'),
      )
    } finally {
      await database.close()
    }
  } catch (error) {
    throw explain(error, { port: 0, databaseUrl: process.env.DATABASE_URL })
  } finally {
    await release()
  }
}

function readData(args: string[]): string {
  try {
    return dataFolderOf(parseArgs({ args, options: { data: { type: 'string' } } }).values.data)
  } catch {
    throw new UserError(USAGE)
  }
}
