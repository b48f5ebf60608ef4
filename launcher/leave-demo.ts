import { leaveDemo as closeDemo } from '@trunkline/server/main/leave-demo'
import { lockDataFolder, readDataOption } from './data-folder.ts'
import { connectDatabase, hasDatabase, noDatabaseIn } from './database.ts'
import { explain, UserError } from './user-error.ts'

const USAGE = 'Usage: ./trunkline leave-demo [--data DIR]'

/** `leave-demo` turns a demo database into a production database. The portal must be stopped. */
export async function leaveDemo(args: string[]): Promise<void> {
  const data = readDataOption(args, USAGE)
  if (!hasDatabase(data)) throw new UserError(noDatabaseIn(data))
  const release = process.env.DATABASE_URL ? async () => {} : await lockDataFolder(data)
  try {
    const database = await connectDatabase(data)
    try {
      const closed = await closeDemo(database.url)
      process.stdout.write(
        [
          `Demo accounts closed: ${closed.join(', ') || 'none'}. The demo trunks are now inactive, and the demo numbers are removed.`,
          'The calls and postings of the demo stay in the reports and the ledger.',
          'This is now a production database. Review its routes, plans and trunks, then create an administrator: ./trunkline admin create NAME',
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
