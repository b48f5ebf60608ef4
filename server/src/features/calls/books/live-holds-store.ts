import { sql } from 'kysely'
import type { LiveHolds } from './ledger-checks-store.ts'

/** check-books verifies that every open hold belongs to a live call. */
export const holdsOfLiveCalls: LiveHolds = sql`select call_id as hold_id from live_calls where held_micros > 0`
