import type { Owner } from '@trunkline/domain/access'
import type { CallReason, CallStatus } from '@trunkline/domain/callcontrol'
import type { Micros } from '@trunkline/domain/money'
import { CompiledQuery } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { INSERT_CDRS } from './insert-store.ts'

/** An attempted trunk and its carrier's reply. */
export type Attempt = { trunk: number; name: string; code: number; reason: string }

export type NewCdr = {
  callId: string
  switchId: string
  isDemo: boolean
  /** Null for an unknown caller. */
  userId: number | null
  /** `completed` means that the call was answered. */
  status: CallStatus
  reason: CallReason
  sipCode: number | null
  sipAccount: string
  sourceAddress: string
  callerId: string
  dialed: string
  /** E.164 digits, or empty. */
  destination: string
  country: string | null
  lineType: string | null
  routeId: number | null
  routeName: string | null
  planName: string | null
  ratePrefix: string | null
  priceMicros: Micros | null
  connectFeeMicros: Micros | null
  firstIncrement: number | null
  nextIncrement: number | null
  trunkId: number | null
  trunkName: string | null
  attempts: readonly Attempt[]
  startedAt: Date
  ringingAt: Date | null
  answeredAt: Date | null
  endedAt: Date
  seconds: number
  billedSeconds: number
  costMicros: Micros
  buyMicros: Micros
  hungUpBy: string | null
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

/** Removes characters from callers and carriers that PostgreSQL cannot store, so that one value does not fail a batch. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

const toRow = (cdr: NewCdr) => ({
  call_id: cdr.callId,
  switch_id: cdr.switchId,
  is_demo: cdr.isDemo,
  user_id: cdr.userId,
  status: cdr.status,
  reason: cdr.reason,
  sip_code: cdr.sipCode,
  sip_account: storable(cdr.sipAccount),
  source_address: cdr.sourceAddress,
  caller_id: cdr.callerId,
  dialed: storable(cdr.dialed),
  destination: cdr.destination,
  country: cdr.country,
  line_type: cdr.lineType,
  route_id: cdr.routeId,
  route_name: cdr.routeName,
  plan_name: cdr.planName,
  rate_prefix: cdr.ratePrefix,
  // JSON has no bigint, so amounts are strings.
  price_micros: cdr.priceMicros?.toString() ?? null,
  connect_fee_micros: cdr.connectFeeMicros?.toString() ?? null,
  first_increment: cdr.firstIncrement,
  next_increment: cdr.nextIncrement,
  trunk_id: cdr.trunkId,
  trunk_name: cdr.trunkName,
  attempts: cdr.attempts.map((attempt) => ({ ...attempt, reason: storable(attempt.reason) })),
  started_at: cdr.startedAt,
  ringing_at: cdr.ringingAt,
  answered_at: cdr.answeredAt,
  ended_at: cdr.endedAt,
  seconds: cdr.seconds,
  billed_seconds: cdr.billedSeconds,
  cost_micros: cdr.costMicros.toString(),
  buy_micros: cdr.buyMicros.toString(),
  hung_up_by: cdr.hungUpBy,
})
