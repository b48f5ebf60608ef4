import { sql } from 'kysely'
import type { LiveHolds } from './ledger-checks-store.ts'

/** check-books verifies that every open hold belongs to a live call, or to a recording whose price is not booked yet. */
export const holdsOfLiveCalls: LiveHolds = sql`
  select call_id as hold_id from live_calls where held_micros > 0
  union all
  select 'recording:' || id from recordings where price_micros > 0 and booked_at is null`
