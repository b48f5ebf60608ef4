import type { HistoricCall } from '@trunkline/contract/demo-history'
import { importPast } from '../features/calls/demo-history/service.ts'
import { openDatabase } from '../platform/database.ts'

/** A connection for each user whose past is written. */
const CONNECTIONS = 6

/**
 * Fills the demo's past into a database whose accounts and catalogue are there, before calls are taken. A past that is there stays
 * as it is. Answers how many calls were written.
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
