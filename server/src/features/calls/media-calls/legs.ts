import type { FlowEvent } from '@trunkline/domain/flows'
import type { Destination } from '@trunkline/domain/ringing'
import type { Conversation, Endpoint, OutgoingCall } from '@trunkline/media/endpoint'
import { type Clock, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Timers } from '../../../platform/timers.ts'
import { newToken } from '../../../platform/tokens.ts'
import { legUser, mediaAccount } from '../live-calls/media-address.ts'
import type { CallFacts } from './calls-store.ts'
import { insertLeg } from './legs-store.ts'
import type { MediaProcess } from './servers-store.ts'

type LegDeps = {
  db: Database
  clock: Clock
  timers: Timers
  endpoint: () => Endpoint
  media: MediaProcess
  password: string
}

export type LegOutcome = { type: 'answered'; conversation: Conversation } | LegFailure
/** `code` is the final SIP code. */
type LegFailure = { type: Exclude<LegResult, 'answered' | 'hung_up'>; reason: string; code: number }
type LegResult = Extract<FlowEvent, { type: 'leg' }>['result']

export type Leg = {
  readonly outcome: Promise<LegOutcome>
  onRinging(listener: () => void): void
  cancel(): void
}

const BUSY = new Set([486, 600, 603])
const NO_ANSWER = new Set([480, 408, 487])

export const failureOf = (code: number, reason: string): LegFailure => ({
  type: BUSY.has(code) ? 'busy' : NO_ANSWER.has(code) ? 'no_answer' : 'failed',
  reason: `${code} ${reason}`.trim().slice(0, 200),
  code,
})

/** Call control ends the ringing. This ends it if call control does not. */
const RING_LIMIT_SPARE_SECONDS = 15

function ringSeconds(destination: Destination): number {
  if (destination.kind === 'phones')
    return destination.steps.reduce((total, { seconds }) => total + seconds, 0)
  return 'seconds' in destination ? destination.seconds : 0
}

export const ringLimitMs = (destination: Destination): number =>
  (ringSeconds(destination) + RING_LIMIT_SPARE_SECONDS) * SECOND

type WantedLeg = {
  destination: Destination
  /** Number of steps that the call has entered, for the replay. Null: the call has no flow. */
  step: number | null
  switchAddress: { host: string; port: number }
}

export type Dial = ReturnType<typeof createDialing>

/** Requests a leg at the switch that holds the call. Call control admits it like any other call. */
export function createDialing({ db, clock, timers, endpoint, media, password }: LegDeps) {
  return (call: CallFacts, { destination, step, switchAddress }: WantedLeg): Leg => {
    let outgoing: OutgoingCall | null = null
    let isCanceled = false
    const ringing = Promise.withResolvers<void>()

    async function dial(): Promise<LegOutcome> {
      const token = newToken()
      await insertLeg(db, {
        token,
        media,
        parentCallId: call.callId,
        userId: call.userId,
        destination,
        step,
        now: clock.now(),
      })
      if (isCanceled) return failureOf(487, 'Canceled')
      const { host, port } = switchAddress
      const username = mediaAccount(media.id)
      const dialed = endpoint().call({ host, port, user: legUser(token), username, password })
      outgoing = dialed
      dialed.onRinging(ringing.resolve)
      const stopLimit = timers.after(ringLimitMs(destination), () => dialed.cancel())
      const result = await dialed.result.finally(stopLimit)
      if (result.type === 'failed') return failureOf(result.code, result.reason)
      return { type: 'answered', conversation: result.conversation }
    }

    return {
      outcome: dial().catch((error: Error) => ({
        type: 'failed' as const,
        reason: error.message.slice(0, 200),
        code: 500,
      })),
      onRinging: (listener) => void ringing.promise.then(listener),
      cancel() {
        isCanceled = true
        outgoing?.cancel()
      },
    }
  }
}
