import type { Owner } from '@trunkline/domain/access'
import type { CallReason, CallStatus } from '@trunkline/domain/callcontrol'
import type { Micros } from '@trunkline/domain/money'
import { CompiledQuery } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { INSERT_CDRS } from './statements.ts'

/** A trunk that was tried, and what its carrier answered. */
export type Attempt = { trunk: number; name: string; code: number; reason: string }

export type NewCdr = {
  callId: string
  switchId: string
  isDemo: boolean
  /** Null where nobody knows who called. */
  userId: number | null
  /** `completed` is a call that was answered, and no other is. */
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
 * Writes records and adds them to all sums, in one statement; a call that has its record already (under the same moment of
 * beginning) is left alone and not counted. Answers the calls that were written.
 *
 * As part of a transaction: once, and after the ledger. Sums are locked until it ends, in the order of their keys.
 */
export async function insertCdrs(db: Database, owner: Owner, cdrs: readonly NewCdr[]): Promise<Set<string>> {
  const own = owner.userId === null ? cdrs : cdrs.filter(({ userId }) => userId === owner.userId)
  if (own.length === 0) return new Set()
  const { rows } = await db.executeQuery(CompiledQuery.raw(INSERT_CDRS, [JSON.stringify(own.map(toRow))]))
  return new Set((rows as { call_id: string }[]).map((row) => row.call_id))
}

/** Callers and carriers write what they like; what no text of the database can hold must not fail a whole batch. */
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
  // JSON knows no bigint, and a number would not be exact; the statement reads the digits.
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
