import { system } from '@trunkline/domain/access'
import type { Encoded, Endpoint } from '@trunkline/media/endpoint'
import type { Rtpengine } from '@trunkline/media/rtpengine/client'
import type { Logger } from 'pino'
import { SAMPLES_PER_SECOND } from '../../../platform/alaw.ts'
import { type Clock, earlier, later, MINUTE, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { every } from '../../../platform/every.ts'
import { listen } from '../../../platform/listen.ts'
import type { Timers } from '../../../platform/timers.ts'
import { ANSWERED_CHANNEL } from '../recordings/requests-store.ts'
import { type CallAudio, findCallAudio } from './call-audio.ts'
import { explainCall } from './calls-store.ts'
import { recordDialedCall } from './dialed-call.ts'
import {
  deleteOverRequests,
  deleteRequest,
  findAbandonedRequests,
  findLive,
  listWaitingRequests,
  type RecordingRequest,
  setAnnouncing,
  setRecording,
  takeRequest,
  type WaitingRequest,
} from './dialed-calls-store.ts'
import type { RecordedCall, Recorder } from './recorder.ts'
import { readDialedRules } from './recording-rules-store.ts'
import { GONE_AFTER_MS } from './recovery.ts'
import type { MediaProcess } from './servers-store.ts'
import type { Sounds } from './sounds.ts'
import { readGreeting } from './sounds-store.ts'
import type { Taps } from './taps.ts'

export type DialedCalls = ReturnType<typeof createDialedCalls>

type Deps = {
  db: Database
  databaseUrl: string
  clock: Clock
  timers: Timers
  logger: Logger
  rtpengines: readonly Rtpengine[]
  sounds: Sounds
  recorderOf: (call: RecordedCall, taps: Taps) => Recorder
  endpoint: () => Endpoint
  media: MediaProcess
  /** False for some seconds after the database was away: the others could not write either. */
  mayJudge: () => boolean
  /** Called with each call that this process records, and the promise of its end. */
  onTaken: (callId: string, ended: Promise<void>) => void
}

/** A request of a call that no rtpengine knows is given up after this time. Another media process may reach it. */
const GIVE_UP_AFTER_MS = 10 * SECOND
const MAX_GIVEN_UP = 1_000

const RECORDED = 'The conversation is recorded.'
const NOT_RECORDED = 'It is not recorded, because the announcement could not be played.'
const FAILED = 'It is not recorded, because its audio could not be copied.'

/** Records calls that customers dial. Without a reachable rtpengine it does nothing. */
export function createDialedCalls(deps: Deps) {
  const { db, clock, timers, logger, rtpengines, sounds, media } = deps
  const scope = system('recording of dialed calls')
  const failed = (what: string) => (error: unknown) => logger.error({ err: error }, what)
  /** Calls that are being recorded, and the functions that end their recordings. */
  const recording = new Map<string, () => void>()
  const looking = new Set<string>()
  const givenUp = new Set<string>()
  let isStopped = rtpengines.length === 0

  async function announcementFor(userId: number): Promise<Encoded | null> {
    await sounds.readReplaced()
    const { language } = await readGreeting(db, userId)
    return sounds.prompt('recording_announcement', language)
  }

  /** Resolves at the end of the recording. */
  async function record(request: WaitingRequest, audio: CallAudio): Promise<void> {
    const { call_id: callId, user_id: userId } = request
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    recording.set(callId, end)
    const explain = (sentence: string) =>
      explainCall(db, { callId, userId }, sentence).catch(failed('failed to explain a recording'))
    let isMuted = request.mutes_caller
    const unmute = async () => {
      if (isMuted) await audio.endAnnouncement().catch(failed('failed to unmute a call'))
      isMuted = false
    }
    try {
      // The owner or the operator may have changed the settings since the call began.
      const rules = await readDialedRules(db, userId)
      if (!rules.records) return
      const announcement = rules.announces ? await announcementFor(userId) : null
      if (rules.announces && !announcement) {
        await explain(NOT_RECORDED)
        return
      }
      if (!announcement) await unmute()
      const outcome = await recordDialedCall({
        audio,
        openCopy: (offer) => deps.endpoint().openCopy(offer),
        recorderOf: (taps) => deps.recorderOf({ callId, userId }, taps),
        announcement,
        async mayAnnounce({ alaw }) {
          const seconds = alaw.length / SAMPLES_PER_SECOND
          const until = later(clock.now(), seconds * SECOND)
          if (!(await setAnnouncing(db, request, until))) return false
          isMuted = false
          return true
        },
        async mayStart() {
          const storing = setRecording(db, request).catch((error) => {
            failed('failed to store the state of a recording')(error)
            return true
          })
          if (!(await storing)) return false
          await explain(RECORDED)
          return true
        },
        ended,
      })
      if (outcome === 'not_announced') await explain(NOT_RECORDED)
    } catch (error) {
      logger.warn({ err: error, call: callId }, 'failed to record a dialed call')
      await explain(FAILED)
    } finally {
      await unmute()
      recording.delete(callId)
      await deleteRequest(db, request).catch(failed('failed to end a recording request'))
    }
  }

  async function begin(request: WaitingRequest): Promise<void> {
    const { call_id: callId } = request
    const audio = await findCallAudio(rtpengines, timers, request)
    if (!audio) {
      if ((request.answered_at ?? clock.now()) > earlier(clock.now(), GIVE_UP_AFTER_MS)) return
      logger.warn({ call: callId }, 'no rtpengine knows the audio of a dialed call')
      if (givenUp.size >= MAX_GIVEN_UP) givenUp.clear()
      givenUp.add(callId)
      return
    }
    if (isStopped || !(await takeRequest(db, request, media))) return
    deps.onTaken(callId, record(request, audio))
  }

  async function takeNew(): Promise<void> {
    if (isStopped) return
    for (const request of await listWaitingRequests(db, scope)) {
      const { call_id: callId } = request
      if (looking.has(callId) || givenUp.has(callId)) continue
      looking.add(callId)
      begin(request)
        .catch(failed('failed to take a recording request'))
        .finally(() => looking.delete(callId))
    }
  }

  async function endOver(): Promise<void> {
    if (recording.size === 0) return
    const live = await findLive(db, scope, [...recording.keys()])
    for (const [callId, end] of recording) if (!live.has(callId)) end()
  }

  /** Ends the announcement and the copies of a call that a killed process has left. */
  async function recoverCall(request: RecordingRequest): Promise<void> {
    const audio = await findCallAudio(rtpengines, timers, request)
    const isLive = (await findLive(db, scope, [request.call_id])).has(request.call_id)
    // Another media process may reach the rtpengine of the call.
    if (!audio && isLive && request.state !== 'recording') return
    if (isLive && request.state !== 'recording') await audio?.endAnnouncement()
    await audio?.endCopies()
    await deleteRequest(db, request)
  }

  async function recover(): Promise<void> {
    const seenAfter = deps.mayJudge() ? earlier(clock.now(), GONE_AFTER_MS) : null
    for (const request of await findAbandonedRequests(db, scope, media, seenAfter))
      await recoverCall(request).catch(failed('failed to recover a dialed call'))
  }

  async function look(): Promise<void> {
    await endOver()
    await recover()
    await takeNew()
  }

  const forget = () => deleteOverRequests(db, scope, earlier(clock.now(), MINUTE))

  const listener = isStopped
    ? null
    : listen({
        url: deps.databaseUrl,
        channels: {
          [ANSWERED_CHANNEL]: () => void takeNew().catch(failed('failed to take recording requests')),
        },
        onListening: () => {},
        onError: failed('lost the notifications of answered calls'),
      })
  // Notices what was not announced.
  const polls = [
    every(SECOND, look, failed('failed to look for recording requests')),
    every(MINUTE, forget, failed('failed to forget recording requests')),
  ]

  return {
    /** Takes no more calls. */
    leave(): void {
      isStopped = true
    },
    /** Ends all recordings. The calls go on. */
    async stop(): Promise<void> {
      isStopped = true
      for (const poll of polls) poll.stop()
      for (const end of recording.values()) end()
      await listener?.close()
    },
  }
}
