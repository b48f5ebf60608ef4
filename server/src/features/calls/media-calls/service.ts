import { MESSAGE_SECONDS_MAX } from '@trunkline/contract/limits'
import { system } from '@trunkline/domain/access'
import type { Flow, Language, Step } from '@trunkline/domain/flows'
import type { Conversation, Encoded, Endpoint, IncomingCall } from '@trunkline/media/endpoint'
import type { Rtpengine } from '@trunkline/media/rtpengine/client'
import type { Logger } from 'pino'
import type { Audio } from '../../../platform/audio.ts'
import { type Clock, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { every } from '../../../platform/every.ts'
import type { Jobs } from '../../../platform/jobs.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { SoundFiles } from '../../../platform/sound-files.ts'
import type { Timers } from '../../../platform/timers.ts'
import { newPassword } from '../../../platform/tokens.ts'
import type { WebRequests } from '../../../platform/web-requests.ts'
import type { AttemptLimits } from '../../identity/attempts/service.ts'
import type { Ledger } from '../../money/ledger/service.ts'
import { type MediaAddress, readMediaUser } from '../live-calls/media-address.ts'
import { createRecordingWriting } from '../recordings/writing.ts'
import { createVoicemailWriting } from '../voicemail/writing.ts'
import {
  type CallFacts,
  endMediaCall,
  findLiveCall,
  findPublishedFlow,
  insertMediaCall,
  type PublishedFlow,
  readVersion,
  removeMediaCall,
} from './calls-store.ts'
import { createDialedCalls } from './dialed-calls.ts'
import { createEndedCalls } from './ended-calls.ts'
import { type FlowDeps, runFlow } from './flow-call.ts'
import { createDialing, ringLimitMs } from './legs.ts'
import { runMailbox } from './mailbox-call.ts'
import { queueFlowMail } from './mailing.ts'
import { takeMessage } from './message-taking.ts'
import { createQueues } from './queues.ts'
import { recordIf } from './recorder.ts'
import { createRecorders } from './recorders.ts'
import { findRecordedDestination, type RecordingRules, readRecordingRules } from './recording-rules-store.ts'
import { createRecovery, GONE_AFTER_MS } from './recovery.ts'
import { ringAndRecord } from './ring-call.ts'
import { keepMedia, markLeaving, registerMedia, removeMedia } from './servers-store.ts'
import { createSounds } from './sounds.ts'
import { readGreeting } from './sounds-store.ts'
import { createStepLog } from './step-log.ts'
import { createTaps } from './taps.ts'
import { createTestCaller } from './test-caller.ts'

export type MediaCalls = Awaited<ReturnType<typeof startMediaCalls>>

type Deps = {
  db: Database
  databaseUrl: string
  clock: Clock
  timers: Timers
  logger: Logger
  metrics: Metrics
  files: SoundFiles
  web: WebRequests
  jobs: Pick<Jobs, 'send'>
  ledger: Pick<Ledger, 'within'>
  attempts: Pick<AttemptLimits, 'take'>
  beep: Encoded
  ringback: Encoded
  audio: Pick<Audio, 'encode' | 'toWav'>
  say: Parameters<typeof createSounds>[0]['say']
  startEndpoint: (onCall: (call: IncomingCall) => void) => Promise<Endpoint>
  /** For copies of the audio of dialed calls. */
  rtpengines: readonly Rtpengine[]
  settings: {
    name: string
    /** Address at which the switches reach this process. */
    host: string
    /** Time for running calls after the stop signal. */
    leaveWithinMs: number
  }
}

/** A plain voicemail is a flow with one step. */
const voicemailFlow: Flow = {
  start: 'voicemail',
  steps: [
    {
      id: 'voicemail',
      name: 'Voicemail',
      kind: 'voicemail',
      x: 0,
      y: 0,
      exits: {},
      greeting: null,
      maxSeconds: MESSAGE_SECONDS_MAX,
    },
  ],
}

const MAX_CACHED_VERSIONS = 500
const RECOVER_EVERY_MS = 2 * SECOND
const HANG_UP_EVERY_MS = 5 * SECOND
/** A longer gap between two signs of life means that the database was away. */
const MAX_GAP_MS = 3 * SECOND

/** The language of the first sound that is spoken. */
function languageOf({ steps }: Flow): Language | null {
  const soundOf = (step: Step) => {
    if ('sound' in step) return step.sound
    if (step.kind === 'queue') return step.music
    if (step.kind === 'voicemail') return step.greeting
    return step.kind === 'record' ? step.announcement : null
  }
  for (const step of steps) {
    const sound = soundOf(step)
    if (sound?.kind === 'text') return sound.language
  }
  return null
}

/** Takes calls from the switches and runs their flows. */
export async function startMediaCalls(deps: Deps) {
  const { db, clock, timers, logger, metrics, files, settings } = deps
  const media = { id: settings.name, startedAt: clock.now() }
  const password = newPassword()
  const scope = system('media calls')
  const failed = (what: string) => (error: unknown) => logger.error({ err: error }, what)
  const versions = new Map<number, Flow>()
  /** Calls of this process by their id, test calls by their token, and the promise of their end. */
  const running = new Map<string, Promise<void>>()
  let isLeaving = false
  let lastSeenAt = Number.NEGATIVE_INFINITY
  let judgesFrom = Number.POSITIVE_INFINITY

  const soundFailures = metrics.counter({
    name: 'trunkline_media_sounds_failed_total',
    help: 'Sounds that could not be played to a caller.',
  })
  metrics.gauge(
    { name: 'trunkline_media_calls', help: 'Calls that this media process handles.' },
    () => running.size,
  )

  const sounds = createSounds({ db, say: deps.say, beep: deps.beep, ringback: deps.ringback })
  const steps = createStepLog(db, failed('failed to store steps of flows'))
  const queues = createQueues({
    db,
    databaseUrl: deps.databaseUrl,
    clock,
    onError: failed('failed to update queues'),
  })
  const written = { db, clock, sounds: files, jobs: deps.jobs }
  const voicemail = createVoicemailWriting(written)
  const recordings = createRecordingWriting({ ...written, logger, ledger: deps.ledger })
  const { recorderOf, mayRecord } = createRecorders({
    db,
    logger,
    metrics,
    sounds,
    writing: recordings,
    media,
  })
  const mayJudge = () => timers.elapsedMs() >= judgesFrom
  const recover = createRecovery({
    db,
    clock,
    logger,
    voicemail,
    recordings,
    media,
    known: () => [...running.keys()],
    mayJudge,
  })
  const flowDeps: FlowDeps = {
    db,
    clock,
    timers,
    logger,
    web: deps.web,
    sounds,
    queues,
    steps,
    dial: createDialing({ db, clock, timers, endpoint: () => endpoint, media, password }),
    onSoundFailed: () => soundFailures.add(1),
  }

  const endedCalls = createEndedCalls({ db, timers, logger })
  const testCaller = createTestCaller({ ...flowDeps, endpoint: () => endpoint, media, password })
  async function takeTestCalls(): Promise<void> {
    if (isLeaving) return
    for (let next = await testCaller.take(); next !== null; next = await testCaller.take())
      keepUntilEnd(next.token, next.ended)
  }

  async function flowOf({ versionId }: PublishedFlow): Promise<Flow | null> {
    const kept = versions.get(versionId)
    if (kept) return kept
    const flow = await readVersion(db, versionId)
    if (flow) versions.set(versionId, flow)
    const [oldest] = versions.keys()
    if (versions.size > MAX_CACHED_VERSIONS && oldest !== undefined) versions.delete(oldest)
    return flow
  }

  type Accepted = { address: MediaAddress; call: CallFacts; published: PublishedFlow | null }

  /** Null if the call does not exist or does not belong to the owner of the flow or the mailbox. */
  async function accept(address: MediaAddress | null): Promise<Accepted | null> {
    const call = address && (await findLiveCall(db, scope, address.callId))
    if (!address || !call) return null
    if (address.kind === 'ring') return { address, call, published: null }
    if (address.kind !== 'flow') return address.id === call.userId ? { address, call, published: null } : null
    const published = await findPublishedFlow(db, call.userId, address.id)
    return published && { address, call, published }
  }

  async function take(incoming: IncomingCall): Promise<void> {
    if (isLeaving) return incoming.reject(503, 'Service Unavailable')
    let isCanceled = false
    incoming.onCanceled(() => {
      isCanceled = true
    })
    const wanted = readMediaUser(incoming.user)
    if (wanted?.kind !== 'ring') incoming.ring()
    const accepted = await accept(wanted)
    if (!accepted) return incoming.reject(403, 'Forbidden')
    const { address, call, published } = accepted
    if (address.kind === 'ring') return ring(incoming, call, address.id)
    const flow = published ? await flowOf(published) : voicemailFlow
    if (!flow) return incoming.reject(404, 'Not Found')
    // Everything is read before the answer, so that no key is missed after it.
    const rules = await readRecordingRules(db, call)
    await sounds.readReplaced()
    const language = (published && languageOf(flow)) ?? (await readGreeting(db, call.userId)).language
    const isNew = await insert(call, address.kind, published?.versionId ?? null)
    if (!isNew) return incoming.reject(482, 'Loop Detected')
    const answered = isCanceled ? null : await incoming.answer().catch(() => null)
    // The call may come again, for example as a fallback.
    if (!answered) {
      await removeMediaCall(db, call.userId, call.callId, media)
      return
    }
    endedCalls.watch(call.callId, answered)
    const talk =
      address.kind === 'mailbox' ? listenToMessages : (each: Talk) => runOneFlow(each, flow, published)
    const ended = talk({ call, conversation: answered, incoming, rules, language }).finally(() =>
      answered.hangUp(),
    )
    keepUntilEnd(call.callId, ended)
  }

  /** False if a media process already handles the call. */
  const insert = ({ callId, userId }: CallFacts, kind: MediaAddress['kind'], versionId: number | null) =>
    insertMediaCall(db, { callId, userId, kind, versionId, now: clock.now() }, media)

  function keepUntilEnd(key: string, talk: Promise<void>): void {
    const ended = talk.catch(failed('media call failed')).finally(() => running.delete(key))
    running.set(key, ended)
  }

  /** Rings a destination of the ring plan. Without one, an error lets the switch ring it. */
  async function ring(incoming: IncomingCall, call: CallFacts, position: number): Promise<void> {
    const destination = await findRecordedDestination(db, call, position)
    if (!destination) return incoming.reject(503, 'Service Unavailable')
    const rules = await readRecordingRules(db, call)
    await sounds.readReplaced()
    const { language } = await readGreeting(db, call.userId)
    if (!(await insert(call, 'ring', null))) return incoming.reject(482, 'Loop Detected')
    incoming.repeatTrying(ringLimitMs(destination))
    // It is ready when somebody answers.
    if (rules.announces) void sounds.prompt('recording_announcement', language)
    const ringing = ringAndRecord(flowDeps, {
      media,
      call,
      destination,
      incoming,
      recorderOf: (conversation) => {
        endedCalls.watch(call.callId, conversation)
        return recorderOf(call, createTaps(conversation))
      },
      mayRecord: (recorder, sides) => mayRecord(recorder, rules, sides, language),
    })
    // Does nothing if the call has a reply. Else something has failed.
    keepUntilEnd(
      call.callId,
      ringing.finally(() => incoming.reject(480, 'Temporarily Unavailable')),
    )
  }

  type Talk = {
    call: CallFacts
    conversation: Conversation
    incoming: IncomingCall
    rules: RecordingRules
    language: Language
  }

  async function listenToMessages({ call, conversation, language }: Talk): Promise<void> {
    const { userId, callId } = call
    await runMailbox(
      { db, clock, timers, logger, files, sounds, audio: deps.audio },
      { userId, language, conversation },
    ).finally(() => endMediaCall(db, userId, callId, clock.now()))
  }

  async function runOneFlow(
    { call, conversation, incoming, rules, language }: Talk,
    flow: Flow,
    published: PublishedFlow | null,
  ): Promise<void> {
    const taps = createTaps(conversation)
    const recorder = recorderOf(call, taps)
    await recordIf(recorder, mayRecord(recorder, rules, [conversation], language)).catch(
      failed('failed to start a recording'),
    )
    await runFlow(flowDeps, {
      call,
      flow,
      source: published,
      language,
      conversation,
      switchAddress: incoming.switch,
      recorder,
      mayRecord: rules.isAllowed,
      isMailboxFull: () => voicemail.isFull(call.userId),
      takeMessage: (maxSeconds) =>
        takeMessage({ writing: voicemail, mediaId: media.id }, { call, taps, maxSeconds }),
      sendMail: (mail) => queueFlowMail(deps, call.userId, mail),
    }).ended
  }

  const endpoint = await deps.startEndpoint((incoming) => {
    take(incoming).catch((error) => {
      failed('failed to take a media call')(error)
      incoming.reject(500, 'Server Internal Error')
    })
  })
  const { host } = settings
  const copiesAudio = deps.rtpengines.length > 0
  await registerMedia(db, media, { host, port: endpoint.port, password, copiesAudio })

  async function beat(): Promise<void> {
    const isOurs = await keepMedia(db, media, { liveCalls: running.size, now: clock.now() })
    if (!isOurs) {
      logger.error({ media: media.id }, 'another media process uses this name: set MEDIA_NAME')
      return
    }
    const now = timers.elapsedMs()
    if (now - lastSeenAt > MAX_GAP_MS) judgesFrom = now + GONE_AFTER_MS
    lastSeenAt = now
  }
  await beat()
  const heartbeat = every(SECOND, beat, failed('failed to report that media is running'))
  const testing = every(SECOND, takeTestCalls, failed('failed to take test calls'))
  const recovering = every(RECOVER_EVERY_MS, recover, failed('failed to recover media calls'))
  const ending = every(HANG_UP_EVERY_MS, endedCalls.hangUp, failed('failed to hang up calls that are over'))
  const dialed = createDialedCalls({
    ...flowDeps,
    databaseUrl: deps.databaseUrl,
    rtpengines: deps.rtpengines,
    recorderOf,
    endpoint: () => endpoint,
    media,
    mayJudge,
    onTaken: (callId, ended) => keepUntilEnd(`dialed ${callId}`, ended),
  })

  /** Resolves when the calls have ended or the time is up. */
  async function calmDown(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = timers.after(settings.leaveWithinMs, resolve)
    await Promise.race([Promise.all(running.values()), promise])
    stop()
  }

  return {
    port: endpoint.port,
    media,
    liveCalls: () => running.size,
    /** The switches know this process and can reach it. */
    isReady: () => !isLeaving && timers.elapsedMs() - lastSeenAt < GONE_AFTER_MS,
    async close(): Promise<void> {
      isLeaving = true
      dialed.leave()
      await markLeaving(db, media).catch(failed('failed to announce the end of media'))
      await calmDown()
      testing.stop()
      recovering.stop()
      ending.stop()
      await dialed.stop()
      await endpoint.close()
      await Promise.all(running.values())
      heartbeat.stop()
      await steps.close()
      await queues.close()
      await removeMedia(db, media).catch(failed('failed to announce the end of media'))
    },
  }
}
