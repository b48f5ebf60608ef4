import type { RingDestination } from '@trunkline/domain/ringing'
import type { Conversation, IncomingCall } from '@trunkline/media/endpoint'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { answerMediaCall, type CallFacts, endMediaCall, removeMediaCall } from './calls-store.ts'
import type { Dial, LegOutcome } from './legs.ts'
import { connectSides, type Recorder, recordIf } from './recorder.ts'
import type { MediaProcess } from './servers-store.ts'

export type RingDeps = { db: Database; clock: Clock; logger: Logger; dial: Dial }

export type RingCall = {
  readonly media: MediaProcess
  readonly call: CallFacts
  readonly destination: RingDestination
  readonly incoming: IncomingCall
  readonly recorderOf: (conversation: Conversation) => Recorder
  /** Holds the price, and tells both sides that the call is recorded. False: it must not be recorded. */
  readonly mayRecord: (recorder: Recorder, sides: readonly [Conversation, Conversation]) => Promise<boolean>
}

const NO_ANSWER = 408
const UNAVAILABLE = 480
const SERVICE_UNAVAILABLE = 503

/**
 * Rings a destination of a ring plan, answers the caller when somebody there answers, and records the conversation. So a call that nobody
 * answers stays unanswered and costs nothing, and the switch tries the next destination. Resolves when everything is stored.
 */
export async function ringAndRecord(
  { db, clock, logger, dial }: RingDeps,
  { media, call, destination, incoming, recorderOf, mayRecord }: RingCall,
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
    const isOurs = await removeMediaCall(db, userId, callId, media)
    // Call control took this process for lost and ended the leg.
    if (!isOurs) return incoming.reject(SERVICE_UNAVAILABLE, 'Service Unavailable')
    return incoming.reject(replyCodeOf(outcome, hasRung), 'Not Answered')
  }
  const other = outcome.conversation
  // Known before the answer, so that call control does not take a lost call for one that still rings elsewhere.
  const isOurs = !isCanceled && (await answerMediaCall(db, userId, callId, media).catch(() => true))
  const conversation = isOurs ? await incoming.answer().catch(() => null) : null
  if (!conversation) {
    other.hangUp()
    await removeMediaCall(db, userId, callId, media)
    return
  }
  const ended = endTogether(conversation, other)
  const recorder = recorderOf(conversation)
  const log = (what: string) => (error: unknown) => logger.error({ err: error, call: callId }, what)
  await recordIf(recorder, mayRecord(recorder, [conversation, other])).catch(
    log('failed to start a recording'),
  )
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
