import { reasonTexts } from '@trunkline/contract/call-reasons'
import { theHouse } from '@trunkline/domain/access'
import type { RefusalReason } from '@trunkline/domain/callcontrol'
import { guardReasons } from '@trunkline/domain/guards'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import { SECOND } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import type { NewAlert } from '../alerts/service.ts'
import { insertCdrs, type NewCdr } from '../cdr/cdr-store.ts'
import { createBatcher } from '../ledger/batcher.ts'
import type { Call } from './call.ts'
import { readCalls } from './calls-store.ts'
import type { Meter } from './meter.ts'
import { type RefusedCall, recordOfRefusal } from './records.ts'

export type Refusals = ReturnType<typeof createRefusals>

const LANES = 1
const MOST_AT_ONCE = 200
/** Records of refusals that wait for the database. Beyond it they are only counted: a flood must not fill the memory. */
const MOST_WAITING = 10_000
/** The same guard on the same account is told once in so long. */
const ALERT_PAUSE_MS = 5 * SECOND
const MOST_ALERTS_REMEMBERED = 10_000

const guards: ReadonlySet<string> = new Set(guardReasons)
/** Faults of our own set-up: no customer's doing, and nothing they could change. */
const faults: ReadonlySet<RefusalReason> = new Set(['no_trunk', 'trunks_full', 'below_cost'])

type Parts = {
  db: Database
  clock: Clock
  logger: Logger
  meter: Meter
  raise: (alert: NewAlert) => Promise<void>
}

/** Writes refused calls down, and tells people of those that they should know about. */
export function createRefusals({ db, clock, logger, meter, raise }: Parts) {
  const owner = theHouse('refused calls')
  const toldAt = new Map<string, number>()
  let backlog: NewCdr[] = []
  let waiting = 0
  let dropped = 0

  /** Another call control may have admitted the same call: then it is not refused, and has no record yet. */
  const write = createBatcher<NewCdr, Call | null>({
    ...{ lanes: LANES, most: MOST_AT_ONCE },
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
    if (waiting + backlog.length >= MOST_WAITING) {
      dropped++
      meter.refused(cdr.reason)
      return null
    }
    waiting++
    try {
      return await write(cdr)
    } catch (error) {
      logger.debug({ err: error, call: cdr.callId }, 'a refusal waits to be written')
      backlog.push(cdr)
      return null
    } finally {
      waiting--
    }
  }

  function tell({ reason, userId, route, question }: RefusedCall): void {
    const isGuard = guards.has(reason) && userId !== null
    if (!isGuard && !(faults.has(reason) && route)) return
    const subject = isGuard ? `user:${userId}` : `route:${route?.id}`
    const key = `${reason} ${subject}`
    const now = clock.now().getTime()
    if (now - (toldAt.get(key) ?? 0) < ALERT_PAUSE_MS) return
    if (toldAt.size >= MOST_ALERTS_REMEMBERED) toldAt.clear()
    toldAt.set(key, now)
    raise({
      ...{ kind: reason, subject, userId: isGuard ? userId : null, message: reasonTexts[reason] },
      details: { dialed: question.to, route: route?.name ?? null },
    }).catch((error) => logger.warn({ err: error }, 'an alert could not be written'))
  }

  return {
    /** Resolves once it is written, or cannot be for now; with the call, when somebody has admitted it after all. */
    async refuse(refused: RefusedCall): Promise<Call | null> {
      const cdr = recordOfRefusal(refused)
      const { userId, reason, question } = refused
      logger.info({ call: cdr.callId, sip: question.sip, user: userId, reason }, 'call refused')
      tell(refused)
      return record(cdr)
    },
    async tick(): Promise<void> {
      if (dropped > 0) logger.error({ dropped }, 'refused calls were not written down: too many waited')
      dropped = 0
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
