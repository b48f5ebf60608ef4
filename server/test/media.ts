import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import type { Flow, FlowLogEntry, Key, Sound, Step } from '@trunkline/domain/flows'
import { encode } from '@trunkline/media/encode'
import type { Conversation, IncomingCall } from '@trunkline/media/endpoint'
import { decodeG711 } from '@trunkline/media/g711'
import type { Rtpengine } from '@trunkline/media/rtpengine/client'
import { startEndpoint } from '@trunkline/media/start-endpoint'
import { beep, join, recognize, ringback, signature, silence } from '@trunkline/media/tones'
import type { Insertable } from 'kysely'
import { pino } from 'pino'
import { expect } from 'vitest'
import { createAudio } from '../src/adapters/audio.ts'
import { createStoredSounds } from '../src/adapters/stored-sounds.ts'
import { createWebRequests } from '../src/adapters/web-requests.ts'
import { type MediaCallKind, mediaUser } from '../src/features/calls/live-calls/media-address.ts'
import { sendFlowMail } from '../src/features/calls/media-calls/mailing.ts'
import { type MediaCalls, startMediaCalls } from '../src/features/calls/media-calls/service.ts'
import { createAttemptLimits } from '../src/features/identity/attempts/service.ts'
import { insertUser } from '../src/features/identity/users/store.ts'
import { createLedger } from '../src/features/money/ledger/service.ts'
import { systemClock } from '../src/platform/clock.ts'
import { openDatabase } from '../src/platform/database.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { insertedId } from '../src/platform/rows.ts'
import type { SoundFiles } from '../src/platform/sound-files.ts'
import type { Tables } from '../src/platform/tables.ts'
import { systemTimers } from '../src/platform/timers.ts'
import { createTestDatabase } from './database.ts'
import { atEnd } from './lifetime.ts'
import { insertLiveCall } from './live-calls.ts'

const HOST = '127.0.0.1'

/** Texts are spoken as this signature, so that a prompt of the system is recognised too. */
export const SPOKEN = 44
/** The pause separates two spoken texts. */
const spoken = join(silence(100), signature(SPOKEN))

export type MediaCall = {
  callId: string
  conversation: Conversation
  /** Sound that reached the caller. */
  sound(): Int16Array
  /** The signatures in it, in order. */
  heard(): number[]
  /** Resolves when the caller has heard exactly these. */
  hears(...signatures: number[]): Promise<void>
  isOver(): boolean
}

type Place = { kind?: MediaCallKind; id: number; userId: number; numberId?: number }

/** Listens from now on. Returns the sound so far. */
function listened(conversation: Conversation): () => Int16Array {
  const packets: Int16Array[] = []
  conversation.listen((packet) => packets.push(decodeG711(packet, 'alaw')))
  return () => join(...packets)
}

/** Listens from now on. Returns the signatures so far. */
export function recorded(conversation: Conversation): () => number[] {
  const sound = listened(conversation)
  return () => recognize(sound())
}

/** Customers with flows, media processes that run them, and a caller who is also the switch. */
export async function createMedia() {
  const database = await createTestDatabase()
  const db = openDatabase({ url: database.url, poolSize: 6, onError: () => {} })
  const folder = await mkdtemp(joinPath(tmpdir(), 'trunkline-media-'))
  const files: SoundFiles = createStoredSounds({ folder, keys: [Buffer.alloc(32, 7)], objects: null })
  const processes: MediaCalls[] = []
  const errors: unknown[] = []
  const mails: object[] = []
  let counter = 0
  let onLeg: (call: IncomingCall) => void = (call) => call.reject(480, 'Temporarily Unavailable')

  const phone = await startEndpoint({
    host: HOST,
    port: 0,
    isAllowed: () => true,
    onCall: (call) => onLeg(call),
    onError: (error) => errors.push(error),
  })
  atEnd(async () => {
    await phone.close()
    for (const one of processes) await one.close()
    await db.destroy()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
    expect(errors).toEqual([])
  })

  /** A media process with its own connections. */
  async function start({
    leaveWithinMs = 0,
    rtpengines = [] as Rtpengine[],
    sounds = files,
    timers = systemTimers,
  } = {}): Promise<MediaCalls> {
    const own = openDatabase({ url: database.url, poolSize: 6, onError: () => {} })
    const started = await startMediaCalls({
      db: own,
      databaseUrl: database.url,
      clock: systemClock,
      timers,
      logger: pino({ level: process.env.LOG_LEVEL ?? 'silent' }),
      metrics: createMetrics(),
      files: sounds,
      web: createWebRequests({ allowsPrivate: true, isOwn: () => false }),
      jobs: {
        send: async (job, payload) => {
          if (job.name === sendFlowMail.name) mails.push(payload)
        },
      },
      ledger: createLedger(own, systemClock),
      attempts: createAttemptLimits(own, systemClock),
      beep: encode(beep()),
      ringback: encode(ringback()),
      audio: createAudio(),
      say: async (text) => (text === 'unspeakable' ? null : encode(spoken)),
      startEndpoint: (onCall) =>
        startEndpoint({
          host: HOST,
          port: 0,
          isAllowed: () => true,
          onCall,
          onError: (error) => errors.push(error),
        }),
      rtpengines,
      settings: { name: `media-${++counter}`, host: HOST, leaveWithinMs },
    })
    const close = started.close
    started.close = async () => {
      const at = processes.indexOf(started)
      if (at < 0) return
      processes.splice(at, 1)
      await close()
      await own.destroy()
    }
    processes.push(started)
    return started
  }

  /** Places a call as the switch does. Returns the SIP code if it is refused. */
  async function place(
    to: { port: number },
    { kind = 'flow', id, userId, numberId }: Place,
  ): Promise<MediaCall | number> {
    const callId = `sw1/call-${++counter}`
    await insertLiveCall(db, userId, {
      call_id: callId,
      started_at: systemClock.now(),
      caller_name: 'Berlin Office',
      direction: 'in',
      number_id: numberId ?? null,
    })
    return dial(to, mediaUser(kind, id, { callId, switchId: 'sw1' }), callId)
  }

  async function dial(to: { port: number }, user: string, callId = ''): Promise<MediaCall | number> {
    const result = await phone.call({ host: HOST, port: to.port, user, username: 'switch', password: '' })
      .result
    if (result.type === 'failed') return result.code
    const { conversation } = result
    const sound = listened(conversation)
    const heard = () => recognize(sound())
    let isOver = false
    conversation.onEnd(() => {
      isOver = true
    })
    return {
      callId,
      conversation,
      sound,
      heard,
      hears: (...signatures) => expect.poll(heard).toEqual(signatures),
      isOver: () => isOver,
    }
  }

  return {
    db,
    url: database.url,
    /** Port at which the caller takes calls, as the switch does. */
    switchPort: phone.port,
    folder,
    files,
    mails,
    start,
    place,
    dial,
    async call(to: { port: number }, what: Place): Promise<MediaCall> {
      const placed = await place(to, what)
      if (typeof placed === 'number') throw new Error(`refused with ${placed}`)
      return placed
    },
    /** Handles the legs that flows request. */
    answerLegs(handle: (call: IncomingCall) => void): void {
      onLeg = handle
    },
    async newUser(): Promise<number> {
      const user = { username: `user-${++counter}`, passwordHash: '', email: null }
      return (await insertUser(db, user, systemClock.now())).id
    },
    async allowRecording(
      userId: number,
      wishes: Partial<Insertable<Tables['recording_settings']>> = {},
    ): Promise<void> {
      const row = { user_id: userId, is_allowed: true, ...wishes }
      await db.insertInto('recording_settings').values(row).execute()
    },
    /** A sound of 400 ms that a caller recognises by its number. */
    async newSound(userId: number, number: number, ms = 400): Promise<Sound> {
      const { alaw, ulaw } = encode(signature(number, ms))
      const row = {
        user_id: userId,
        name: `Sound ${number} ${++counter}`,
        origin: 'upload' as const,
        seconds: ms / 1000,
        alaw: Buffer.from(alaw),
        ulaw: Buffer.from(ulaw),
        created_at: systemClock.now(),
      }
      return { kind: 'file', soundId: await insertedId(db.insertInto('sounds').values(row).returning('id')) }
    },
    /** The first step starts. Its version is published. */
    async newFlow(userId: number, steps: readonly Step[]): Promise<number> {
      const flow: Flow = { start: steps[0]?.id ?? '', steps }
      const now = systemClock.now()
      const row = {
        user_id: userId,
        name: `Flow ${++counter}`,
        draft: JSON.stringify(flow),
        secret: 'the secret',
        created_at: now,
        updated_at: now,
        published_version: null,
      }
      const id = await insertedId(db.insertInto('flows').values(row).returning('id'))
      await this.publish(id, steps)
      return id
    },
    async publish(flowId: number, steps: readonly Step[]): Promise<void> {
      const flow: Flow = { start: steps[0]?.id ?? '', steps }
      const { user_id, published_version } = await db
        .selectFrom('flows')
        .select(['user_id', 'published_version'])
        .where('id', '=', flowId)
        .executeTakeFirstOrThrow()
      const number = (published_version ?? 0) + 1
      const version = { flow_id: flowId, number, published_at: systemClock.now(), published_by: user_id }
      await db
        .insertInto('flow_versions')
        .values({ ...version, flow: JSON.stringify(flow) })
        .execute()
      await db.updateTable('flows').set({ published_version: number }).where('id', '=', flowId).execute()
    },
    async flowOf(flowId: number): Promise<Flow> {
      const { flow } = await db
        .selectFrom('flow_versions')
        .select('flow')
        .where('flow_id', '=', flowId)
        .orderBy('number', 'desc')
        .executeTakeFirstOrThrow()
      return flow
    },
    mediaCallOf: (callId: string) =>
      db.selectFrom('media_calls').selectAll().where('call_id', '=', callId).executeTakeFirst(),
    /** Resolves when the call has ended and everything is stored. */
    async ended({ callId }: MediaCall): Promise<FlowLogEntry[]> {
      await expect
        .poll(async () => (await this.mediaCallOf(callId))?.ended_at ?? null, { interval: 20 })
        .not.toBeNull()
      return this.stepsOf(callId)
    },
    async stepsOf(callId: string): Promise<FlowLogEntry[]> {
      const rows = await db
        .selectFrom('media_call_steps')
        .select('entry')
        .where('call_id', '=', callId)
        .orderBy('position')
        .execute()
      return rows.map(({ entry }) => entry)
    },
    voicemails: () => db.selectFrom('voicemails').selectAll().orderBy('id').execute(),
    recordings: () => db.selectFrom('recordings').selectAll().orderBy('id').execute(),
  }
}

export type Media = Awaited<ReturnType<typeof createMedia>>

type Rest<Kind extends Step['kind']> = Omit<Step<Kind>, 'id' | 'kind' | 'name' | 'x' | 'y' | 'exits'>

/** A step of a flow; `exits` lead to other ids. */
export const stepOf = <Kind extends Step['kind']>(
  kind: Kind,
  id: string,
  rest: Rest<Kind>,
  exits: Record<string, string> = {},
): Step => ({ ...rest, kind, id, name: id, x: 0, y: 0, exits }) as unknown as Step

export const menuOf = (
  id: string,
  sound: Sound,
  exits: Record<string, string>,
  given: { repeats?: number; seconds?: number } = {},
): Step => {
  const keys = Object.keys(exits).flatMap((exit) => (exit.startsWith('key_') ? [exit.slice(4) as Key] : []))
  return stepOf('menu', id, { sound, keys, repeats: given.repeats ?? 1, seconds: given.seconds ?? 1 }, exits)
}

/** A queue whose callers ring all phones. */
export const queueOf = (
  id: string,
  { announcesPosition = false, maxWaiting = 5, music }: Partial<Rest<'queue'>> & { music: Sound },
  exits: Record<string, string> = {},
): Step => {
  const ringing = { devices: 'all', ringSeconds: 20, maxSeconds: 60 } as const
  return stepOf('queue', id, { music, announcesPosition, maxWaiting, ...ringing }, exits)
}

/** A menu that is recorded if the account allows it. */
export const recordedMenu = (question: Sound): Step[] => [
  stepOf('record', 'record', { turn: 'on', announcement: null }, { next: 'menu', failed: 'menu' }),
  menuOf('menu', question, { key_1: 'menu' }, { seconds: 30 }),
]

/** `enter play`, `leave play by next`, and so on: the path of a call. */
export const pathOf = (log: readonly FlowLogEntry[]): string[] =>
  log.flatMap((entry) => {
    if (entry.type === 'left') return [`${entry.stepId}: ${entry.exit}`]
    return entry.type === 'ended' ? [`ended: ${entry.reason}`] : []
  })
