import type { Owner } from '@trunkline/domain/access'
import type { CallReason, CallStatus } from '@trunkline/domain/callcontrol'
import type { MediaQuality } from '@trunkline/domain/media-quality'
import type { Micros } from '@trunkline/domain/money'
import { CompiledQuery } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { storable } from '../../../platform/rows.ts'
import { factColumns, type RecordFacts } from '../live-calls/call-row.ts'
import { INSERT_CDRS } from './insert-store.ts'

/** An attempted trunk and its carrier's reply. */
export type Attempt = {
  trunk: number
  name: string
  code: number
  reason: string
  /** Milliseconds since 1970. Missing in records of earlier releases. */
  at?: number | undefined
  until?: number | undefined
}

/** `userId` is null for an unknown caller. `destination` holds E.164 digits, or is empty. */
export type NewCdr = RecordFacts & {
  /** `completed` means that the call was answered. */
  status: CallStatus
  reason: CallReason
  sipCode: number | null
  trunkId: number | null
  trunkName: string | null
  attempts: readonly Attempt[]
  ringingAt: Date | null
  answeredAt: Date | null
  endedAt: Date
  seconds: number
  billedSeconds: number
  costMicros: Micros
  buyMicros: Micros
  hungUpBy: string | null
  /** Null if it was not measured. */
  media?: MediaQuality | null
}

/**
 * Inserts records and adds them to all sums in one statement. A call that already has a record with the same start time is skipped.
 * Returns the inserted calls.
 *
 * In a transaction, call it once and after the ledger: the sums stay locked until the end, in key order.
 */
export async function insertCdrs(db: Database, owner: Owner, cdrs: readonly NewCdr[]): Promise<Set<string>> {
  const own = owner.userId === null ? cdrs : cdrs.filter(({ userId }) => userId === owner.userId)
  if (own.length === 0) return new Set()
  const { rows } = await db.executeQuery(CompiledQuery.raw(INSERT_CDRS, [JSON.stringify(own.map(toRow))]))
  return new Set((rows as { call_id: string }[]).map((row) => row.call_id))
}

const toRow = (cdr: NewCdr) => ({
  ...factColumns({
    ...cdr,
    sipAccount: storable(cdr.sipAccount),
    dialed: storable(cdr.dialed),
    callerName: storable(cdr.callerName),
  }),
  status: cdr.status,
  reason: cdr.reason,
  sip_code: cdr.sipCode,
  trunk_id: cdr.trunkId,
  trunk_name: cdr.trunkName,
  attempts: cdr.attempts.map((attempt) => ({ ...attempt, reason: storable(attempt.reason) })),
  ringing_at: cdr.ringingAt,
  answered_at: cdr.answeredAt,
  ended_at: cdr.endedAt,
  seconds: cdr.seconds,
  billed_seconds: cdr.billedSeconds,
  cost_micros: String(cdr.costMicros),
  buy_micros: String(cdr.buyMicros),
  hung_up_by: cdr.hungUpBy,
  media: cdr.media ?? null,
})
