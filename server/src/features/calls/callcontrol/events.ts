import type { FromSwitchOf, SwitchEvent } from '@trunkline/contract/switch-protocol'
import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { createBatcher } from '../../../platform/batcher.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { AddressProof } from './address-proof.ts'
import { type Call, callIdOf, offeredTrunk } from './call.ts'
import type { Calls } from './calls.ts'
import { type Progress, type Progressed, progressCalls, readCalls } from './calls-store.ts'
import type { Meter } from './meter.ts'
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
  announce: (call: Call) => void
  raise: Alerts['raise']
}

const LANES = 1
const MAX_AT_ONCE = 200
/** So long what happened waits for company where much happens: nobody sees the difference, and each statement costs the same. */
const GAP_MS = 40

/** One thing a switch said of a call's way. */
export type Step = { callId: string; state: 'ringing' | 'answered'; trunkId: number; at: Date }

/** Carries out what happened at a switch. The row of the call decides: what it does not agree with changes nothing. */
export function createEvents(deps: Deps) {
  const { db, clock, logger, meter, calls, catalogue, settlement, announce, raise } = deps
  const owner = system('what happens to calls')

  /** What is about to be written, by call: its end waits for it, so that the record tells when it rang. */
  const unwritten = new Map<string, Promise<unknown>>()

  /** A call that rang and was answered meanwhile is written once; the news is the answer's. */
  const write = createBatcher<Step, Progressed | null>({
    lanes: LANES,
    most: MAX_AT_ONCE,
    gapMs: GAP_MS,
    async run(steps) {
      const progresses = new Map<string, Progress>()
      for (const step of steps) progresses.set(step.callId, goOn(progresses.get(step.callId), step))
      const changed = await progressCalls(db, owner, [...progresses.values()])
      return steps.map(({ callId, state }) => {
        const isOvertaken = state === 'ringing' && progresses.get(callId)?.answeredAt
        return isOvertaken ? null : (changed.get(callId) ?? null)
      })
    },
    keyOf: ({ callId, state }) => `${callId} ${state}`,
  })

  /** A whole town of phones registers again after a power cut. */
  const enroll = createBatcher<Registration & { event: string }, void>({
    lanes: LANES,
    most: MAX_AT_ONCE,
    gapMs: GAP_MS,
    async run(phones) {
      await register(db, phones)
      return phones.map(() => undefined)
    },
    keyOf: ({ event }) => event,
  })

  /** It rings, or is answered. */
  async function progress(step: Step): Promise<void> {
    const writing = write(step)
    unwritten.set(step.callId, writing)
    const changed = await writing.finally(() => {
      if (unwritten.get(step.callId) === writing) unwritten.delete(step.callId)
    })
    if (changed) note(step)
    const tracked = calls.get(step.callId)
    if (!tracked?.isPlaced) {
      // Another call control admitted it, and this one does not know it yet: what was written here is told from here.
      if (changed) (await readCalls(db, owner, [step.callId])).forEach(announce)
      return
    }
    tracked.seenAt = clock.now().getTime()
    const { call } = tracked
    if (changed) {
      const trunk = { id: step.trunkId, name: offeredTrunk(call, step.trunkId)?.name ?? '' }
      const { state, ringing_at, answered_at } = changed
      calls.update(tracked, { state, trunk, ringingAt: ringing_at, answeredAt: answered_at })
      announce(tracked.call)
    } else if (step.state === 'answered' && call.state !== 'answered') {
      // Written by another call control: should that one die, this one goes on with the call.
      const trunk = { id: step.trunkId, name: offeredTrunk(call, step.trunkId)?.name ?? '' }
      calls.update(tracked, { state: 'answered', trunk, answeredAt: step.at })
    }
  }

  /** By the one call control that wrote it. */
  function note({ callId, state, trunkId }: Step): void {
    const what = { call: callId, trunk: trunkId }
    if (state === 'ringing') logger.debug(what, 'call rings')
    else {
      meter.answered()
      logger.info(what, 'call answered')
    }
  }

  /** The carrier goes on charging, and so do we. */
  async function unreleased({ switchId }: Session, event: FromSwitchOf<'unreleased'>): Promise<void> {
    const callId = callIdOf(switchId, event.call)
    const call = calls.get(callId)?.call
    const trunk = call && offeredTrunk(call, event.trunk)?.name
    logger.warn({ call: callId, trunk: event.trunk }, 'carrier does not release a call')
    await raise({
      kind: 'unreleased_call',
      subject: `trunk:${event.trunk}`,
      userId: null,
      message: `${trunk ?? `Trunk ${event.trunk}`} does not confirm the end of a call. The call is charged until it does, for five minutes at most. Ask the carrier to check its side.`,
      details: { call: callId, switch: switchId, trunk: event.trunk },
    })
  }

  async function registration(
    session: Session,
    event: FromSwitchOf<'registered'> | FromSwitchOf<'unregistered'>,
  ): Promise<void> {
    const { switchId } = session
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
          const callId = callIdOf(session.switchId, event.call)
          const { type: state, trunk: trunkId } = event
          return progress({ callId, state, trunkId, at: new Date(event.at) })
        }
        case 'ended':
        case 'failed': {
          const callId = callIdOf(session.switchId, event.call)
          const ending = event.type === 'ended' ? { kind: event.type, event } : { kind: event.type, event }
          await unwritten.get(callId)?.catch(() => {})
          await settlement.settle({ callId, ending })
          return
        }
        case 'unreleased':
          return unreleased(session, event)
        case 'registered':
        case 'unregistered':
          return registration(session, event)
      }
    },
  }
}

/** The trunk of the answer counts, whatever else rang. */
function goOn(so: Progress | undefined, { callId, state, trunkId, at }: Step): Progress {
  if (state === 'answered') return { callId, trunkId, ringingAt: so?.ringingAt ?? null, answeredAt: at }
  return { callId, trunkId: so?.trunkId ?? trunkId, ringingAt: at, answeredAt: so?.answeredAt ?? null }
}
