import type { HistoricCall } from '@trunkline/contract/demo-history'
import { importPast } from '../features/calls/demo-history/service.ts'
import { openDatabase } from '../platform/database.ts'

/** One connection for each user with generated history. */
const CONNECTIONS = 6

/**
 * Imports the demo history after accounts and catalogue exist and before call control starts. Skips an existing history. Returns
 * the number of imported calls.
 */
export async function importHistory(
  url: string,
  calls: readonly HistoricCall[],
  tell?: (calls: number) => void,
): Promise<number> {
  const db = openDatabase({ url, poolSize: CONNECTIONS, onError: () => {} })
  try {
    return await importPast(db, calls, tell)
  } finally {
    await db.destroy()
  }
}
