import type { RingDestination } from '@trunkline/domain/ringing'
import type { Conversation, IncomingCall } from '@trunkline/media/endpoint'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { type CallFacts, endMediaCall, removeMediaCall } from './calls-store.ts'
import type { Dial, LegOutcome } from './legs.ts'
import { connectSides, type Recorder } from './recorder.ts'

export type RingDeps = { db: Database; clock: Clock; logger: Logger; dial: Dial }

export type RingCall = {
  readonly call: CallFacts
  readonly destination: RingDestination
  readonly incoming: IncomingCall
  readonly recorderOf: (conversation: Conversation) => Recorder
  /** Tells both sides that the call is recorded. False: it must not be recorded. */
  readonly mayRecord: (sides: readonly [Conversation, Conversation]) => Promise<boolean>
}

const NO_ANSWER = 408
const UNAVAILABLE = 480

/**
 * Rings a destination of a ring plan, answers the caller when somebody there answers, and records the conversation. So a call that nobody
 * answers stays unanswered and costs nothing, and the switch tries the next destination. Resolves when everything is stored.
 */
export async function ringAndRecord(
  { db, clock, logger, dial }: RingDeps,
  { call, destination, incoming, recorderOf, mayRecord }: RingCall,
): Promise<void> {
  const { userId, callId } = call
  const leg = dial(call, { destination, step: null, switchAddress: incoming.switch })
  let isCanceled = false
  let hasRung = false
  incoming.onCanceled(() => {
    isCanceled = true
    leg.cancel()
  })
  leg.onRinging(() => {
    hasRung = true
    incoming.ring()
  })
  const outcome = await leg.outcome
  // The next destination of the plan may come to a media process too, so the call is forgotten before the reply.
  if (outcome.type !== 'answered') {
    await removeMediaCall(db, userId, callId)
    return incoming.reject(replyCodeOf(outcome, hasRung), 'Not Answered')
  }
  const other = outcome.conversation
  const conversation = isCanceled ? null : await incoming.answer().catch(() => null)
  if (!conversation) {
    other.hangUp()
    return removeMediaCall(db, userId, callId)
  }
  const ended = endTogether(conversation, other)
  const recorder = recorderOf(conversation)
  const log = (what: string) => (error: unknown) => logger.error({ err: error, call: callId }, what)
  const isAgreed = await mayRecord([conversation, other]).catch(() => false)
  if (isAgreed) await recorder.turnOn().catch(log('failed to start a recording'))
  connectSides(conversation, other, recorder)
  await ended
  await recorder.turnOff().catch(log('failed to keep a recording'))
  await endMediaCall(db, userId, callId, clock.now())
}

/** Resolves when one side has hung up. The other one is hung up too. */
function endTogether(one: Conversation, other: Conversation): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const side of [one, other])
    side.onEnd(() => {
      one.hangUp()
      other.hangUp()
      resolve()
    })
  return promise
}

/** The switch would ring the phones itself after a code from 500 to 599. A leg of phones that rang ends with 480. */
function replyCodeOf({ code }: Exclude<LegOutcome, { type: 'answered' }>, hasRung: boolean): number {
  const isServerError = code >= 500 && code < 600
  if (isServerError || code < 300) return UNAVAILABLE
  return code === UNAVAILABLE && hasRung ? NO_ANSWER : code
}
