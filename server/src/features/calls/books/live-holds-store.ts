import { sql } from 'kysely'
import type { LiveHolds } from './ledger-checks-store.ts'

/** Behind every open hold stands a live call: what check-books proves. */
export const holdsOfLiveCalls: LiveHolds = sql`select call_id as hold_id from live_calls where held_micros > 0`
