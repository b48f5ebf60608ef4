import type { HistoricCall } from '@trunkline/contract/demo-history'
import type { Config } from '../app/config.ts'
import { importDemoPast } from '../app/demo-past.ts'
import { openDatabase } from '../platform/database.ts'

/** The import is sequential. */
const CONNECTIONS = 2

/**
 * Imports the demo history after accounts and catalogue exist and before the generated live calls. Skips an existing history. Returns
 * the number of imported calls.
 */
export async function importHistory(
  config: Config,
  calls: readonly HistoricCall[],
  now: Date,
  tell?: (calls: number) => void,
): Promise<number> {
  const db = openDatabase({ url: config.databaseUrl, poolSize: CONNECTIONS, onError: () => {} })
  try {
    return await importDemoPast(calls, { db, config, now, ...(tell && { tell }) })
  } finally {
    await db.destroy()
  }
}
