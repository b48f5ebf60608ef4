import type { AllUsers } from '@trunkline/domain/access'
import { INNER_LEG_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

type LiveFigures = { state: string; calls: number; holds: number; heldDollars: number }

/** The hold of a call is in its row, so the small table of live calls is enough. */
export async function readLive(db: Database, _scope: AllUsers): Promise<LiveFigures[]> {
  const { rows } = await sql<LiveFigures>`
    select state, count(*)::integer as calls, (count(*) filter (where held_micros > 0))::integer as holds,
           (sum(held_micros) / 1e6)::float8 as "heldDollars"
      from live_calls where route_id <> ${INNER_LEG_ROUTE_ID} group by state`.execute(db)
  return rows
}

type HoldFigures = { holds: number; dollars: number }

/** Open holds of recordings: those in progress, and those that are not booked yet. */
export async function readRecordingHolds(db: Database, _scope: AllUsers): Promise<HoldFigures> {
  const { rows } = await sql<HoldFigures>`
    select count(*)::integer as holds, (coalesce(sum(h.amount_micros), 0) / 1e6)::float8 as dollars
      from recordings as r join holds as h on h.hold_id = 'recording:' || r.id
     where r.booked_at is null and h.status = 'open'`.execute(db)
  return rows[0] ?? { holds: 0, dollars: 0 }
}

type PaymentFigures = { state: string; payments: number }

/** Payments that wait for the payer, the provider or an administrator. */
export async function readOpenPayments(db: Database, _scope: AllUsers): Promise<PaymentFigures[]> {
  const { rows } = await sql<PaymentFigures>`
    select shown_state as state, count(*)::integer as payments from invoices
     where shown_state in ('pending', 'paying', 'underpaid', 'in_review', 'refunding')
     group by shown_state`.execute(db)
  return rows
}

export async function readPaymentsSince(
  db: Database,
  _scope: AllUsers,
  since: Date,
): Promise<PaymentFigures[]> {
  const { rows } = await sql<PaymentFigures>`
    select shown_state as state, count(*)::integer as payments from invoices
     where created_at >= ${since} group by shown_state`.execute(db)
  return rows
}
