import { describeBooks } from '@trunkline/server/features/calls/books/check-books'
import { checkBooks } from '@trunkline/server/main/check-books'
import { readDataOption } from './data-folder.ts'
import { connectDatabase, hasDatabase, noDatabaseIn } from './database.ts'
import { explain, UserError } from './user-error.ts'

const USAGE = 'Usage: ./trunkline check-books [--data DIR]'

/** `check-books` checks that the ledger balances; the exit code is 1 if it does not. */
export async function printBooks(args: string[]): Promise<void> {
  const data = readDataOption(args, USAGE)
  if (!hasDatabase(data)) throw new UserError(noDatabaseIn(data))
  const database = await connectDatabase(data)
  try {
    const report = await checkBooks(database.url)
    process.stdout.write(`${describeBooks(report).join('\n')}\n`)
    process.exitCode = report.isSound ? 0 : 1
  } catch (error) {
    if (isTableMissing(error))
      throw new UserError('This database has no ledger yet. Start Trunkline with it once, then try again.')
    throw explain(error, { port: 0, databaseUrl: process.env.DATABASE_URL })
  } finally {
    await database.close()
  }
}

const isTableMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '42P01'
