import { switchLabel } from '@trunkline/contract/switch-names'
import type { FromSwitchOf, SwitchEvent } from '@trunkline/contract/switch-protocol'
import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { createBatcher } from '../../../platform/batcher.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { NewCdr } from '../cdr/cdr-store.ts'
import { type Call, callIdOf, offeredTrunk } from '../live-calls/call.ts'
import type { AddressProof } from './address-proof.ts'
import type { Calls } from './calls.ts'
import { type Progress, type Progressed, progressCalls, readCalls } from './calls-store.ts'
import { endingsOf, legsOf } from './legs.ts'
import type { Meter } from './meter.ts'
import type { RecordingRequests } from './recording-requests.ts'
import type { RegisteredPhones } from './registered-phones.ts'
import type { Session } from './session.ts'
import type { Settlement } from './settlement.ts'
import { type Registration, register, unregister } from './switches-store.ts'

export type Events = ReturnType<typeof createEvents>

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  meter: Meter
  calls: Calls
  catalogue: Catalogue
  settlement: Settlement
  addressProof: AddressProof
  registered: Pick<RegisteredPhones, 'hear'>
  recordingRequests: Pick<RecordingRequests, 'answered'>
  announce: (call: Call) => void
  /** Called by the process that settled the call. */
  onEnded: (record: NewCdr) => void
  raise: Alerts['raise']
}

const LANES = 1
const MAX_AT_ONCE = 200
/** Batching window: under load, events wait this long to share a statement. */
const GAP_MS = 40

/** A progress event of a call. */
export type Step = { callId: string; state: 'ringing' | 'answered'; trunkId: number; at: Date }

/** Applies events of a switch. Events that contradict the call's row have no effect. */
export function createEvents(deps: Deps) {
  const { db, clock, logger, meter, calls, catalogue, settlement, announce, raise } = deps
  const owner = system('what happens to calls')

  /** Pending writes by call. The end of a call waits for them, so that the record contains the ringing time. */
  const unwritten = new Map<string, Promise<unknown>>()

  /** A call that rang and was answered in one batch is written once and announced as answered. */
  const write = createBatcher<Step, Progressed | null>({
    lanes: LANES,
    maxSize: MAX_AT_ONCE,
    gapMs: GAP_MS,
    async run(steps) {
      const progresses = new Map<string, Progress>()
      for (const step of steps) progresses.set(step.callId, mergeProgress(progresses.get(step.callId), step))
      const changed = await progressCalls(db, owner, [...progresses.values()])
      return steps.map(({ callId, state }) => {
        const isOvertaken = state === 'ringing' && progresses.get(callId)?.answeredAt
        return isOvertaken ? null : (changed.get(callId) ?? null)
      })
    },
    keyOf: ({ callId, state }) => `${callId} ${state}`,
  })

  /** Batched, because many phones register again after a power cut. */
  const enroll = createBatcher<Registration & { event: string }, void>({
    lanes: LANES,
    maxSize: MAX_AT_ONCE,
    gapMs: GAP_MS,
    async run(phones) {
      await register(db, phones)
      return phones.map(() => undefined)
    },
    keyOf: ({ event }) => event,
  })

  /** Stores that calls ring or are answered. */
  async function progress(step: Step): Promise<void> {
    const writing = write(step)
    unwritten.set(step.callId, writing)
    const changed = await writing.finally(() => {
      if (unwritten.get(step.callId) === writing) unwritten.delete(step.callId)
    })
    if (changed) note(step)
    const tracked = calls.get(step.callId)
    if (!tracked?.isPlaced) {
      // Another call control admitted the call, and this one does not know it yet. The writer announces the change.
      if (changed) (await readCalls(db, owner, [step.callId])).forEach(announce)
      return
    }
    tracked.seenAt = clock.now().getTime()
    const { call } = tracked
    if (changed) {
      const trunk = trunkAfter(call, step.trunkId)
      const { state, ringing_at, answered_at } = changed
      calls.update(tracked, { state, trunk, ringingAt: ringing_at, answeredAt: answered_at })
      announce(tracked.call)
      if (state === 'answered') deps.recordingRequests.answered(tracked.call)
    } else if (step.state === 'answered' && call.state !== 'answered') {
      // Another call control wrote it. Keep the state, in case that process dies.
      const trunk = trunkAfter(call, step.trunkId)
      calls.update(tracked, { state: 'answered', trunk, answeredAt: step.at })
    }
  }

  /** Called by the process that wrote the change. */
  function note({ callId, state, trunkId }: Step): void {
    const what = { call: callId, trunk: trunkId }
    if (state === 'ringing') logger.debug(what, 'call ringing')
    else {
      meter.answered()
      logger.info(what, 'call answered')
    }
  }

  /** The carrier still charges for the call, so it stays live. */
  async function unreleased({ switchId }: Session, event: FromSwitchOf<'unreleased'>): Promise<void> {
    const callId = callIdOf(switchId, event.call)
    const call = calls.get(callId)?.call
    const trunk = call && offeredTrunk(call, event.trunk)?.name
    logger.warn({ call: callId, trunk: event.trunk }, 'carrier did not confirm end of call')
    await raise({
      kind: 'unreleased_call',
      subject: `trunk:${event.trunk}`,
      userId: null,
      message: `${trunk ?? `Trunk ${event.trunk}`} does not confirm the end of a call. The call is charged until it does, for five minutes at most. Ask the carrier to check its side.`,
      details: { call: callId, switch: switchId, trunk: event.trunk },
    })
  }

  async function mediaFailed(
    { switchId }: Session,
    { at, calls }: FromSwitchOf<'media_failed'>,
  ): Promise<void> {
    logger.warn({ switch: switchId, calls }, 'rtpengine failed')
    await raise({
      kind: 'media_relay_failed',
      subject: `switch:${switchId}`,
      userId: null,
      message: `rtpengine failed on ${switchLabel(switchId)} and was restarted. ${lostCalls(calls)}`,
      details: { switch: switchId, calls, at: new Date(at).toISOString() },
    })
  }

  async function registration(
    session: Session,
    event: FromSwitchOf<'registered'> | FromSwitchOf<'unregistered'>,
  ): Promise<void> {
    const { switchId } = session
    deps.registered.hear(session, event)
    const userId = catalogue.userByName(event.user)?.id
    if (userId === undefined) return
    const at = new Date(event.at)
    const { contact } = event
    if (event.type === 'unregistered') return unregister(db, { switchId, userId, contact, at })
    const { address, device } = event
    deps.addressProof.seen(session, event.user, address)
    const expiresAt = new Date(event.expiresAt)
    await enroll({
      event: event.id,
      switchId,
      userId,
      contact,
      address,
      device,
      registeredAt: at,
      expiresAt,
    })
  }

  return {
    progress,
    async carryOut(session: Session, event: SwitchEvent): Promise<void> {
      switch (event.type) {
        case 'ringing':
        case 'answered': {
          const { type: state } = event
          const steps = legsOf(event).map(({ call, trunk: trunkId }) =>
            progress({ callId: callIdOf(session.switchId, call), state, trunkId, at: new Date(event.at) }),
          )
          await Promise.all(steps)
          return
        }
        case 'ended':
        case 'failed': {
          const endings = endingsOf(event, (call) => calls.get(callIdOf(session.switchId, call))?.call)
          const ends = endings.map(async ({ call, ending }) => {
            const callId = callIdOf(session.switchId, call)
            await unwritten.get(callId)?.catch(() => {})
            const record = await settlement.settle({ callId, ending })
            if (record) deps.onEnded(record)
          })
          await Promise.all(ends)
          return
        }
        case 'unreleased':
          return unreleased(session, event)
        case 'media_failed':
          return mediaFailed(session, event)
        case 'registered':
        case 'unregistered':
          return registration(session, event)
      }
    },
  }
}

const lostCalls = (count: number): string => {
  if (count === 0) return 'No call was affected.'
  return count === 1 ? 'One call lost its audio and ended.' : `${count} calls lost their audio and ended.`
}

/** Targets of a ring plan have negative ids. They do not replace the carrier. */
const trunkAfter = (call: Call, trunkId: number): Call['trunk'] =>
  call.direction === 'in' || trunkId < 0
    ? call.trunk
    : { id: trunkId, name: offeredTrunk(call, trunkId)?.name ?? '' }

/** The trunk of the answer counts, even if another one rang. */
function mergeProgress(so: Progress | undefined, { callId, state, trunkId, at }: Step): Progress {
  if (state === 'answered') return { callId, trunkId, ringingAt: so?.ringingAt ?? null, answeredAt: at }
  return { callId, trunkId: so?.trunkId ?? trunkId, ringingAt: at, answeredAt: so?.answeredAt ?? null }
}
