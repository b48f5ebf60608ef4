import { LIVE_CALLS_POLL_MS, LIVE_CALLS_SHOWN_MAX } from '@trunkline/contract/limits'
import type { AdminLiveCallView, EndedCallView, LiveCallView } from '@trunkline/contract/live-calls'
import { micros, toWireNumber } from '@trunkline/domain/money'
import { costOf } from '@trunkline/domain/rating'
import { api } from './api.ts'
import { createEventReader, type ServerEvent } from './server-events.ts'
import { readToken } from './token.ts'

/** A call with the time of its figures, by the clock of the browser. */
export type Shown<Call extends LiveCallView> = Call & { readonly seenAt: number }

export type LiveState<Call extends LiveCallView> = {
  /** Streaming, polling every few seconds, or unavailable. */
  readonly status: 'loading' | 'live' | 'polling' | 'away'
  readonly liveCalls: number
  /** Newest first. */
  readonly calls: readonly Shown<Call>[]
}

export type LiveStore<Call extends LiveCallView> = {
  current(): LiveState<Call>
  /** Connects with the first listener and disconnects with the last. */
  subscribe(listener: () => void): () => void
}

type Answer<Call> = { liveCalls: number; liveCallsDetails: readonly Call[] }

type Source<Call> = {
  open(token: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Response>
  poll(signal: AbortSignal): Promise<Answer<Call>>
}

type Visibility = { isHidden(): boolean; onChange(listener: () => void): () => void }

const ofThePage: Visibility = {
  isHidden: () => document.hidden,
  onChange(listener) {
    document.addEventListener('visibilitychange', listener)
    return () => document.removeEventListener('visibilitychange', listener)
  },
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** The server sends a keepalive every five seconds. */
const SILENCE_MS = 16_000

const nothing = { liveCalls: 0, calls: [] }

export function createLiveStore<Call extends LiveCallView>(
  source: Source<Call>,
  visibility: Visibility = ofThePage,
): LiveStore<Call> {
  let state: LiveState<Call> = { status: 'loading', ...nothing }
  let lastEventId: string | undefined
  const listeners = new Set<() => void>()
  let stop: (() => void) | null = null
  let stopLooking = () => {}

  function become(next: Partial<LiveState<Call>>): void {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }

  function start(): () => void {
    const leaving = new AbortController()
    const { signal } = leaving
    let pauseMs = FIRST_PAUSE_MS
    let polling: ReturnType<typeof setInterval> | undefined

    async function poll(): Promise<void> {
      try {
        const { liveCalls, liveCallsDetails } = await source.poll(signal)
        if (!signal.aborted && polling)
          become({ status: 'polling', liveCalls, calls: seenNow(liveCallsDetails) })
      } catch {
        if (signal.aborted || !polling) return
        // Missed events cannot be applied, so the stream starts again with a full list.
        lastEventId = undefined
        become({ status: 'away', ...nothing })
      }
    }

    /** After a cut the list stays until the reconnect. Polls immediately if refused or if there is nothing to show. */
    function startPolling(isRefused: boolean): void {
      const isNew = polling === undefined
      polling ??= setInterval(poll, LIVE_CALLS_POLL_MS)
      if (state.status === 'live' ? isRefused : isNew) void poll()
    }

    /** Applies events that arrive together in one update. */
    function hear(events: readonly ServerEvent[]): void {
      if (events.length === 0) return
      clearInterval(polling)
      polling = undefined
      pauseMs = FIRST_PAUSE_MS
      let picture: Picture<Call> = state
      for (const { event, data, id } of events) {
        lastEventId = id ?? lastEventId
        picture = applyEvent(picture, event, JSON.parse(data))
      }
      become({ status: 'live', liveCalls: picture.liveCalls, calls: picture.calls })
    }

    /** Resolves when the stream ends; true if the server refused it. */
    async function readStream(): Promise<boolean> {
      const token = readToken()
      if (token === null) return true
      const cut = new AbortController()
      let silence: ReturnType<typeof setTimeout> | undefined
      const stillThere = () => {
        clearTimeout(silence)
        silence = setTimeout(() => cut.abort(), SILENCE_MS)
      }
      try {
        stillThere()
        const response = await source.open(token, lastEventId, AbortSignal.any([signal, cut.signal]))
        if (!response.ok || !response.body) return true
        const read = createEventReader()
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return false
          stillThere()
          hear(read(value))
        }
      } catch {
        // Cut and silent streams are handled alike.
        return false
      } finally {
        clearTimeout(silence)
        cut.abort()
      }
    }

    async function keepStreaming(): Promise<void> {
      while (!signal.aborted) {
        const isRefused = await readStream()
        if (signal.aborted) return
        // Polling also detects the end of the session.
        startPolling(isRefused)
        // Spreads the reconnects of clients that lost the connection together.
        await pause(pauseMs * (0.5 + Math.random() / 2), signal)
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      }
    }
    void keepStreaming()

    return () => {
      leaving.abort()
      clearInterval(polling)
    }
  }

  function pauseAll(): void {
    stop?.()
    stop = null
  }

  /** Browsers open few connections to one server, so hidden tabs disconnect. */
  function followVisibility(): void {
    if (visibility.isHidden()) pauseAll()
    else stop ??= start()
  }

  return {
    current: () => state,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) {
        stopLooking = visibility.onChange(followVisibility)
        followVisibility()
      }
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        stopLooking()
        pauseAll()
        // The next listener may be another user.
        state = { status: 'loading', ...nothing }
        lastEventId = undefined
      }
    },
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

const seenNow = <Call extends LiveCallView>(calls: readonly Call[]): Shown<Call>[] => {
  const seenAt = Date.now()
  return calls.map((call) => ({ ...call, seenAt }))
}

type Picture<Call extends LiveCallView> = Pick<LiveState<Call>, 'liveCalls' | 'calls'>

/** The list after an event. Unknown events change nothing. */
export function applyEvent<Call extends LiveCallView>(
  { calls, liveCalls }: Picture<Call>,
  event: string,
  data: unknown,
): Picture<Call> {
  switch (event) {
    case 'snapshot': {
      const snapshot = data as Answer<Call>
      return { liveCalls: snapshot.liveCalls, calls: seenNow(snapshot.liveCallsDetails) }
    }
    case 'calling':
    case 'ringing':
    case 'answered':
    case 'updated': {
      const [call] = seenNow([data as Call])
      if (!call) return { calls, liveCalls }
      const isKnown = calls.some(({ uniqueid }) => uniqueid === call.uniqueid)
      if (isKnown)
        return { liveCalls, calls: calls.map((one) => (one.uniqueid === call.uniqueid ? call : one)) }
      return counted([call, ...calls].slice(0, LIVE_CALLS_SHOWN_MAX), liveCalls + 1)
    }
    case 'ended': {
      const { uniqueid } = data as EndedCallView
      return counted(
        calls.filter((call) => call.uniqueid !== uniqueid),
        liveCalls - 1,
      )
    }
    case 'cost': {
      const ticked = data as {
        liveCalls: number
        costs: { uniqueid: string; seconds: number; cost: number }[]
      }
      const costs = new Map(ticked.costs.map((cost) => [cost.uniqueid, cost]))
      const seenAt = Date.now()
      return {
        liveCalls: ticked.liveCalls,
        calls: calls.map((call) => {
          const cost = costs.get(call.uniqueid)
          return cost ? { ...call, ...cost, seenAt } : call
        }),
      }
    }
    default:
      return { calls, liveCalls }
  }
}

/** The length of a list that is not full. For a full list the server sends the count with the costs. */
const counted = <Call extends LiveCallView>(calls: readonly Shown<Call>[], count: number): Picture<Call> => ({
  calls,
  liveCalls: calls.length < LIVE_CALLS_SHOWN_MAX ? calls.length : Math.max(count, calls.length),
})

/** Current seconds and cost of a call, extrapolated from the last figures of the server. */
export function countOn(call: Shown<LiveCallView>, now: number): { seconds: number; cost: number } {
  if (call.state !== 'answered') return { seconds: 0, cost: 0 }
  const seconds = call.seconds + Math.max(0, Math.floor((now - call.seenAt) / 1_000))
  const inMicros = (dollars: number) => micros(BigInt(Math.round(dollars * 1_000_000)))
  const rate = {
    priceMicros: inMicros(call.price),
    connectFeeMicros: inMicros(call.connect_fee),
    firstIncrement: call.first_increment,
    nextIncrement: call.next_increment,
  }
  return { seconds, cost: toWireNumber(costOf(rate, seconds)) }
}

const openAt = (url: string) => (token: string, lastEventId: string | undefined, signal: AbortSignal) =>
  fetch(url, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    cache: 'no-store',
    signal,
  })

/** The signed-in customer's calls. */
export const ownLiveCalls: LiveStore<LiveCallView> = createLiveStore({
  open: openAt('/api/live-calls/stream'),
  poll: async (signal) => {
    // The list has at most 1,000 calls; the count covers all.
    const [{ liveCalls }, { liveCallsDetails }] = await Promise.all([
      api('GET /api/live-calls', { signal }),
      api('GET /api/live-calls-details', { signal }),
    ])
    return { liveCalls, liveCallsDetails }
  },
})

/** All calls, for administrators. */
export const allLiveCalls: LiveStore<AdminLiveCallView> = createLiveStore({
  open: openAt('/api/admin/live-calls/stream'),
  poll: (signal) => api('GET /api/admin/live-calls', { signal }),
})
