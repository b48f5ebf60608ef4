import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { earlier, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { callIdOf, nameOf } from '../live-calls/call.ts'
import type { Calls, Tracked } from './calls.ts'
import { closedSince, readCalls, readStates } from './calls-store.ts'
import type { Events } from './events.ts'
import type { Ending } from './records.ts'
import type { Listed, Session } from './session.ts'
import type { EndedCall, Settlement } from './settlement.ts'
import { findDeadSwitches, findOrAddSwitch, isStillDead, saveLastSeen } from './switches-store.ts'

export type Recovery = ReturnType<typeof createRecovery>

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  calls: Calls
  events: Events
  settlement: Settlement
  sessions: () => Iterable<Session>
  /** A switch without messages for this long is dead. */
  deadAfterMs: number
}

/**
 * A call that its switch does not list has ended. Its end event may be late and has the exact duration, so we wait for it: longer if
 * the switch has reported the call before.
 */
const UNREPORTED_CALL_WAIT_MS = 15 * SECOND
const REPORTED_CALL_WAIT_MS = 60 * SECOND

/** Maximum clock difference between two machines. */
const CLOCKS_DIFFER_BY_MS = 5 * SECOND

/** After a longer gap between two checks, this process was stalled and its silence proves nothing. */
const LONGEST_GAP_MS = 15 * SECOND

/** Compares the calls of the switch and the database after an outage, and closes lost calls. */
export function createRecovery({
  db,
  clock,
  logger,
  calls,
  events,
  settlement,
  sessions,
  deadAfterMs,
}: Deps) {
  const owner = system('comparing calls with switches')
  /** Since when this process has checked switches without a gap. */
  let steadySince: number | null = null
  let lookedAt = 0
  const nowMs = () => clock.now().getTime()

  /** Replaces the calls of the switch in memory by those of the table. */
  async function follow(session: Session): Promise<Tracked[]> {
    const mine = ({ call, isPlaced }: Tracked) => isPlaced && call.switchId === session.switchId
    const before = [...calls.all()].filter(mine)
    const states = await readStates(db, owner, session.switchId)
    const rows = new Map(states.map((state) => [state.callId, state]))
    for (const { call } of before) if (!rows.has(call.callId)) calls.remove(call.callId)
    const unknown = states.filter(({ callId }) => !calls.get(callId)).map(({ callId }) => callId)
    const read = await readCalls(db, owner, unknown)
    if (!session.isOpen()) return []
    for (const call of read) if (!calls.get(call.callId)) calls.add(call, true)
    calls.adopt(session.switchId)
    return states.flatMap(({ callId, coveredSeconds, heldMicros }) => {
      const tracked = calls.get(callId)
      // A decision about this call is in progress.
      if (!tracked?.isPlaced) return []
      if (coveredSeconds > tracked.call.coveredSeconds) calls.update(tracked, { coveredSeconds, heldMicros })
      return tracked
    })
  }

  /** Null means wait and check again. */
  function endingOf(session: Session, listed: Listed, tracked: Tracked): Ending | null {
    const { call, seenAt } = tracked
    const lastSeenAt = session.known?.lastSeenAt ?? clock.now()
    const isOfFormerLife = wasRestarted(session) && call.startedAt < session.startedAt
    if (isOfFormerLife) return { kind: 'lost', at: lastSeenAt }
    if (listed.withdrawn.has(call.callId)) return { kind: 'withdrawn', at: clock.now() }
    // The first list without the call may be older than the call.
    tracked.missedSince ??= listed.askedAt
    const waitMs = call.state === 'authorized' ? UNREPORTED_CALL_WAIT_MS : REPORTED_CALL_WAIT_MS
    if (listed.askedAt - tracked.missedSince < waitMs) return null
    return { kind: 'lost', at: seenAt === null ? lastSeenAt : new Date(seenAt) }
  }

  async function bringUpToDate(session: Session, tracked: Tracked, listed: Listed): Promise<void> {
    const entry = listed.calls.get(nameOf(tracked.call))
    if (!entry) return
    tracked.seenAt = nowMs()
    tracked.missedSince = null
    const { call } = tracked
    if (entry.state === 'answered' && call.state !== 'answered' && entry.answeredAt !== undefined)
      await events.progress({
        callId: call.callId,
        state: 'answered',
        at: new Date(entry.answeredAt),
        trunkId: call.trunk?.id ?? call.offered[0]?.id ?? 0,
      })
    if (entry.coveredSeconds !== undefined && entry.coveredSeconds < tracked.call.coveredSeconds)
      session.send({ type: 'extend', call: nameOf(call), coveredSeconds: tracked.call.coveredSeconds })
  }

  /**
   * Ends calls without a hold, except pending authorizations and calls that were closed after the list was requested. Returns whether
   * there were any; they are checked again.
   */
  async function hangUpUnknownCalls(
    session: Session,
    listed: Listed,
    followed: readonly Tracked[],
  ): Promise<boolean> {
    const names = new Set(followed.map(({ call }) => nameOf(call)))
    const strangers = [...listed.calls]
      .filter(([, { state, coveredSeconds }]) => state !== 'authorized' || coveredSeconds !== undefined)
      .map(([name]) => ({ name, callId: callIdOf(session.switchId, name) }))
      .filter(({ name, callId }) => !names.has(name) && !calls.get(callId))
    if (strangers.length === 0) return false
    const ids = strangers.map(({ callId }) => callId)
    const over = await closedSince(db, owner, ids, new Date(listed.askedAt - CLOCKS_DIFFER_BY_MS))
    for (const { name, callId } of strangers) {
      if (over.has(callId)) continue
      logger.warn({ call: callId }, 'ending call without admission')
      session.send({ type: 'hangup', call: name, reason: 'unknown_call' })
    }
    return over.size > 0
  }

  return {
    /** Runs after hello and periodically. Returns whether another comparison is needed soon. */
    async compare(session: Session, listed: Listed): Promise<boolean> {
      session.known ??= await findOrAddSwitch(db, session, clock.now())
      const followed = await follow(session)
      if (!session.isOpen()) return false
      const lost: EndedCall[] = []
      let isAgain = false
      // In parallel, so that their writes are batched.
      const upToDate: Promise<void>[] = []
      for (const tracked of followed) {
        const { call } = tracked
        if (listed.calls.has(nameOf(call))) upToDate.push(bringUpToDate(session, tracked, listed))
        else {
          const ending = endingOf(session, listed, tracked)
          if (ending) lost.push({ callId: call.callId, ending })
          else isAgain = true
        }
      }
      await Promise.all(upToDate)
      if (lost.length > 0) logger.warn({ switch: session.switchId, calls: lost.length }, 'closing lost calls')
      await Promise.all(lost.map(settlement.settle))
      if (await hangUpUnknownCalls(session, listed, followed)) isAgain = true
      // Stored after closing the lost calls, because they end at the previously stored time.
      await saveLastSeen(db, { ...session, heardAt: session.heardAt() })
      session.known = { startedAt: session.startedAt, lastSeenAt: session.heardAt() }
      session.isReady = true
      return isAgain
    },

    /** Stores the time of the last message from the switch. */
    async see(session: Session): Promise<void> {
      const heardAt = session.heardAt()
      if (!session.isReady || !session.known || heardAt <= session.known.lastSeenAt) return
      await saveLastSeen(db, { ...session, heardAt })
      session.known = { startedAt: session.startedAt, lastSeenAt: heardAt }
    },

    /** Closes the calls of dead switches as of their last message. */
    async closeDead(): Promise<void> {
      const now = nowMs()
      if (now - lookedAt > LONGEST_GAP_MS) steadySince = null
      lookedAt = now
      const since = earlier(clock.now(), deadAfterMs)
      let dead: { switchId: string; lastSeenAt: Date }[]
      try {
        dead = await findDeadSwitches(db, owner, since)
      } catch (error) {
        steadySince = null
        throw error
      }
      steadySince ??= now
      if (now - steadySince < deadAfterMs) return
      const here = new Set([...sessions()].map(({ switchId }) => switchId))
      for (const { switchId, lastSeenAt } of dead) {
        if (here.has(switchId)) continue
        const states = await readStates(db, owner, switchId)
        logger.error({ switch: switchId, calls: states.length, lastSeenAt }, 'closing calls of dead switch')
        const ending: Ending = { kind: 'lost', at: lastSeenAt }
        await settlement.settleIf(
          states.map(({ callId }) => ({ callId, ending })),
          (tx) => isStillDead(tx, switchId, since),
        )
      }
    },
  }
}

const wasRestarted = ({ known, startedAt }: Session): boolean => known !== null && known.startedAt < startedAt
