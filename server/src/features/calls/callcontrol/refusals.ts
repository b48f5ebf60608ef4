import { reasonTexts } from '@trunkline/contract/call-reasons'
import { system } from '@trunkline/domain/access'
import {
  isRefusalWindowOver,
  nextRefusal,
  type RefusalReason,
  type RefusalWindow,
} from '@trunkline/domain/callcontrol'
import { isGuardReason } from '@trunkline/domain/guards'
import type { Logger } from 'pino'
import { createBatcher } from '../../../platform/batcher.ts'
import type { Clock } from '../../../platform/clock.ts'
import { SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { NewAlert } from '../../identity/alerts/service.ts'
import { insertCdrs, type NewCdr } from '../cdr/cdr-store.ts'
import type { Call } from '../live-calls/call.ts'
import { tokenOfLeg } from '../live-calls/media-address.ts'
import { readCalls } from './calls-store.ts'
import type { Meter } from './meter.ts'
import { isPeerToken } from './peer-legs.ts'
import { type RefusedCall, recordOfRefusal } from './records.ts'

export type Refusals = ReturnType<typeof createRefusals>

const LANES = 1
const MAX_AT_ONCE = 200
/** Maximum number of refusal records in the queue; further ones are only counted, so that a flood does not fill the memory. */
const MAX_WAITING = 10_000
/** Minimum time between alerts for the same limit and account. */
const ALERT_PAUSE_MS = 5 * SECOND
const MAX_ALERTS_REMEMBERED = 10_000
/** Maximum number of callers with their own window; further callers share one. */
const MAX_WINDOWS = 10_000

/** Faults of our own configuration, which customers cannot change. */
const faults: ReadonlySet<RefusalReason> = new Set(['no_trunk', 'trunks_full', 'below_cost'])

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  meter: Meter
  raise: (alert: NewAlert) => Promise<void>
}

/** Refusals of one caller for one reason, and how many without a record have been reported. */
type Flood = {
  window: RefusalWindow
  reported: number
  subject: string
  userId: number | null
  reason: RefusalReason
}

/** Records refused calls and raises alerts. */
export function createRefusals({ db, clock, logger, meter, raise }: Deps) {
  const owner = system('refused calls')
  const alertedAt = new Map<string, number>()
  const windows = new Map<string, Flood>()
  let backlog: NewCdr[] = []
  let waiting = 0
  let dropped = 0

  /** Another call control may have admitted the same call; then it is not refused. */
  const write = createBatcher<NewCdr, Call | null>({
    lanes: LANES,
    maxSize: MAX_AT_ONCE,
    async run(records) {
      const live = await readCalls(
        db,
        owner,
        records.map(({ callId }) => callId),
      )
      const admitted = new Map(live.map((call) => [call.callId, call]))
      const written = await insertCdrs(
        db,
        owner,
        records.filter(({ callId }) => !admitted.has(callId)),
      )
      for (const { callId, reason } of records) if (written.has(callId)) meter.refused(reason)
      return records.map(({ callId }) => admitted.get(callId) ?? null)
    },
    keyOf: ({ callId }) => callId,
  })

  async function record(cdr: NewCdr): Promise<Call | null> {
    if (waiting + backlog.length >= MAX_WAITING) {
      dropped++
      meter.refused(cdr.reason)
      return null
    }
    waiting++
    try {
      return await write(cdr)
    } catch (error) {
      logger.debug({ err: error, call: cdr.callId }, 'refusal record queued for retry')
      backlog.push(cdr)
      return null
    } finally {
      waiting--
    }
  }

  /** The account, or the source address of an unknown caller. */
  function isRecorded({ reason, userId, question }: RefusedCall): boolean {
    const caller = userId === null ? `address:${question.address}` : `user:${userId}`
    const asked = `${reason} ${caller}`
    const isKnown = windows.has(asked) || windows.size < MAX_WINDOWS
    const subject = isKnown ? caller : 'others'
    const key = isKnown ? asked : `${reason} others`
    const flood = windows.get(key)
    const next = nextRefusal(flood?.window, clock.now().getTime())
    const known = { subject, userId: isKnown ? userId : null, reason, reported: flood?.reported ?? 0 }
    windows.set(key, { ...known, window: next.window })
    return next.isRecorded
  }

  /** One alert for all calls without a record, with their number. */
  function alertFloods(): void {
    const now = clock.now().getTime()
    for (const [key, flood] of windows) {
      const { subject, userId, reason, reported, window } = flood
      if (window.counted > reported) {
        flood.reported = window.counted
        logger.warn({ subject, reason, count: window.counted }, 'refused calls counted without records')
        raise({
          kind: 'refused_calls_flood',
          subject: `${subject} ${reason}`,
          userId,
          message: `Too many refused calls: ${window.counted} were counted without a record. ${reasonTexts[reason]}`,
          details: { reason, count: window.counted },
        }).catch((error) => logger.warn({ err: error }, 'failed to store alert'))
      } else if (isRefusalWindowOver(window, now)) windows.delete(key)
    }
  }

  function tell(refused: RefusedCall): void {
    const alert = alertOf(refused)
    if (!alert) return
    const key = `${alert.kind} ${alert.subject}`
    const now = clock.now().getTime()
    if (now - (alertedAt.get(key) ?? 0) < ALERT_PAUSE_MS) return
    if (alertedAt.size >= MAX_ALERTS_REMEMBERED) alertedAt.clear()
    alertedAt.set(key, now)
    raise(alert).catch((error) => logger.warn({ err: error }, 'failed to store alert'))
  }

  return {
    /** Resolves after the write or its failure; with the call, if another call control has admitted it. */
    async refuse(refused: RefusedCall): Promise<Call | null> {
      const { userId, reason, question } = refused
      if (isPeerToken(tokenOfLeg(question.to)) || !isRecorded(refused)) {
        meter.refusedUnrecorded(reason)
        tell(refused)
        return null
      }
      const cdr = recordOfRefusal(refused)
      logger.info({ call: cdr.callId, sip: question.sip, user: userId, reason }, 'call refused')
      tell(refused)
      return record(cdr)
    },
    async tick(): Promise<void> {
      if (dropped > 0) logger.error({ dropped }, 'refusal records dropped')
      dropped = 0
      alertFloods()
      const [probe, ...others] = backlog
      if (!probe) return
      backlog = []
      try {
        await write(probe)
      } catch (error) {
        backlog = [probe, ...others, ...backlog]
        throw error
      }
      await Promise.all(others.map(record))
    },
    waiting: (): number => waiting + backlog.length,
  }
}

/** Alerts about limits of an account, faults of a route, and carriers that send calls to numbers that nobody rents. */
function alertOf({ reason, userId, route, question, leg, trunk }: RefusedCall): NewAlert | null {
  const details = { dialed: question.to, route: route?.name ?? null }
  const message = reasonTexts[reason]
  if (isGuardReason(reason) && userId !== null)
    return { kind: reason, subject: `user:${userId}`, userId, message, details }
  if (faults.has(reason) && route)
    return { kind: reason, subject: `route:${route.id}`, userId: null, message, details }
  if (reason === 'unknown_number' && leg.direction === 'in' && trunk)
    return {
      kind: 'unknown_incoming_number',
      subject: `trunk:${trunk.id}`,
      userId: null,
      message: `${trunk.name} sends calls to numbers that are not rented, such as ${question.to}. Check the inventory and the format of the carrier’s numbers.`,
      details,
    }
  return null
}
