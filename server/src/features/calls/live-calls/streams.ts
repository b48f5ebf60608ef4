import type { Readable } from 'node:stream'
import { Refusal } from '@trunkline/contract/errors'
import { LIVE_CALLS_SHOWN_MAX } from '@trunkline/contract/limits'
import { type Caller, system } from '@trunkline/domain/access'
import { type Clock, earlier, MINUTE, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { every } from '../../../platform/every.ts'
import { type Listener, listen } from '../../../platform/listen.ts'
import { newToken } from '../../../platform/tokens.ts'
import type { Sessions } from '../../identity/sessions/service.ts'
import { type Audience, createAudience } from './audience.ts'
import type { LiveCall } from './call.ts'
import { decodeChanges } from './live-call.ts'
import { createMirror, type MirrorEvent } from './mirror.ts'
import { LIVE_CALLS_CHANNEL, listCallStates, listLiveCalls } from './store.ts'
import { adminView, endedView, ownView, runningFigures } from './view.ts'

export type LiveStreams = ReturnType<typeof createLiveStreams>

type Deps = {
  db: Database
  databaseUrl: string
  clock: Clock
  sessions: Pick<Sessions, 'identifyAll'>
  onError: (error: unknown) => void
}

type Viewer = { source: Readable; caller: Caller; token: string; isAdminView: boolean }

/** Streams per account: enough for many tabs, so that one account cannot use up the server's connections. */
export const STREAMS_PER_USER = 10

const EVENTS_KEPT = 64
const ADMIN_EVENTS_KEPT = 2_048
/** How long an audience without viewers is kept for reconnects. */
const EMPTY_KEPT_FOR = MINUTE

const TICK_EVERY = 5 * SECOND
const COMPARE_EVERY = 3 * SECOND
const CHECK_SESSIONS_EVERY = 3 * SECOND

const EVERYBODY = 'everybody'

/**
 * Streams of live-call events. Each API process keeps a mirror of the table, updated by notifications and compared with the table every
 * few seconds. Viewers of the same calls share an audience, for which each event is serialized once.
 */
export function createLiveStreams({ db, databaseUrl, clock, sessions, onError }: Deps) {
  const systemOwner = system('live calls')
  const mirror = createMirror()
  const audiences = new Map<number | typeof EVERYBODY, Audience>()
  const lastSeen = new Map<Audience, Date>()
  const viewers = new Set<Viewer>()
  let isLoaded = false
  let comparing: Promise<void> | null = null
  let isStale = false
  let listener: Listener | null = null
  const timers: { stop(): void }[] = []

  function tell(event: MirrorEvent): void {
    const { call } = event
    const now = clock.now()
    const everybody = audiences.get(EVERYBODY)
    const owners = audiences.get(call.userId)
    if (event.kind === 'ended') {
      const view = endedView(call.callId, event.ended)
      everybody?.publish('ended', view)
      owners?.publish('ended', view)
      return
    }
    everybody?.publish(event.kind, adminView(call, now))
    if (event.isForOwner) owners?.publish(event.kind, ownView(call, now))
  }

  function onNotification(payload: string): void {
    const now = clock.now()
    for (const change of decodeChanges(payload) ?? []) {
      const event = mirror.applyChange(change, now)
      if (event) tell(event)
    }
  }

  async function compareOnce(): Promise<void> {
    const events = await mirror.compare(
      () => listCallStates(db, systemOwner),
      (callIds) => listLiveCalls(db, systemOwner, { callIds }),
      clock.now(),
    )
    isLoaded = true
    for (const event of events) tell(event)
  }

  /** Compares the mirror with the table. A request during a comparison runs another one afterwards. */
  function compare(): Promise<void> {
    if (comparing) {
      isStale = true
      return comparing
    }
    comparing = (async () => {
      do {
        isStale = false
        await compareOnce()
      } while (isStale)
    })().finally(() => {
      comparing = null
    })
    return comparing
  }

  const newestOf = (calls: Iterable<LiveCall>): LiveCall[] =>
    [...calls]
      .sort((one, other) => other.startedAt.getTime() - one.startedAt.getTime())
      .slice(0, LIVE_CALLS_SHOWN_MAX)

  const callsOf = (whose: number | typeof EVERYBODY) =>
    whose === EVERYBODY
      ? { liveCalls: mirror.count(), newest: newestOf(mirror.all()) }
      : { liveCalls: mirror.countOf(whose), newest: newestOf(mirror.of(whose)) }

  function audienceOf(whose: number | typeof EVERYBODY): Audience {
    const known = audiences.get(whose)
    if (known) return known
    const keep = whose === EVERYBODY ? ADMIN_EVENTS_KEPT : EVENTS_KEPT
    const audience = createAudience({ epoch: newToken().slice(0, 12), keep })
    audiences.set(whose, audience)
    return audience
  }

  async function open(caller: Caller, token: string, isAdminView: boolean, after: string | undefined) {
    if (!isLoaded) await compare()
    const own = [...viewers].filter((viewer) => viewer.caller.userId === caller.userId)
    if (own.length >= STREAMS_PER_USER) throw new Refusal('too_many_requests')
    const whose = isAdminView ? EVERYBODY : caller.userId
    const view = isAdminView ? adminView : ownView
    const source = audienceOf(whose).open(after, () => {
      const { liveCalls, newest } = callsOf(whose)
      const now = clock.now()
      return { liveCalls, liveCallsDetails: newest.map((call) => view(call, now)) }
    })
    const viewer = { source, caller, token, isAdminView }
    viewers.add(viewer)
    source.once('close', () => viewers.delete(viewer))
    return source
  }

  function forgetEmpty(now: Date): void {
    for (const [whose, audience] of audiences) {
      if (audience.size() > 0 || !lastSeen.has(audience)) lastSeen.set(audience, now)
      if ((lastSeen.get(audience) ?? now) > earlier(now, EMPTY_KEPT_FOR)) continue
      audiences.delete(whose)
      lastSeen.delete(audience)
    }
  }

  /** Sends running costs to viewers with live costs, and a heartbeat to the others. */
  function tick(): void {
    const now = clock.now()
    forgetEmpty(now)
    for (const [whose, audience] of audiences) {
      if (audience.size() === 0) continue
      const { liveCalls, newest } = callsOf(whose)
      const costs = newest
        .filter((call) => call.answeredAt !== null)
        .map((call) => ({ uniqueid: call.callId, ...runningFigures(call, now) }))
      if (costs.length > 0) audience.mention('cost', { liveCalls, costs })
      else audience.mention(null)
    }
  }

  /** Ends streams whose session has ended or whose administrator has lost their rights. */
  async function checkSessions(): Promise<void> {
    if (viewers.size === 0) return
    const checked = [...viewers]
    const callers = await sessions.identifyAll([...new Set(checked.map(({ token }) => token))])
    for (const { source, token, isAdminView } of checked) {
      const caller = callers.get(token)
      if (!caller || (isAdminView && !caller.isAdmin)) source.destroy()
    }
  }

  return {
    openOwn: (caller: Caller, token: string, after: string | undefined): Promise<Readable> =>
      open(caller, token, false, after),

    openEverybodys(caller: Caller, token: string, after: string | undefined): Promise<Readable> {
      if (!caller.isAdmin) throw new Refusal('admin_only')
      return open(caller, token, true, after)
    },

    compare,
    tick,
    checkSessions,
    viewers: (): number => viewers.size,

    /** Starts listening. After every gap the mirror is compared with the table. */
    start(): void {
      listener ??= listen({
        url: databaseUrl,
        channels: { [LIVE_CALLS_CHANNEL]: onNotification },
        onListening: () => void compare().catch(onError),
        onError,
      })
    },

    /** Starts the timers; tests call `tick` themselves. */
    keepTime(): void {
      timers.push(
        every(TICK_EVERY, tick, onError),
        every(COMPARE_EVERY, compare, onError),
        every(CHECK_SESSIONS_EVERY, checkSessions, onError),
      )
    },

    async close(): Promise<void> {
      for (const timer of timers) timer.stop()
      for (const { source } of viewers) source.destroy()
      await listener?.close()
      await comparing?.catch(() => {})
    },
  }
}
