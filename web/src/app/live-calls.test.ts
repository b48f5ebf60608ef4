import type { LiveCallView } from '@trunkline/contract/live-calls'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { applyEvent, countOn, createLiveStore } from './live-calls.ts'
import { writeToken } from './token.ts'

const call = (uniqueid: string, about: Partial<LiveCallView> = {}): LiveCallView => ({
  uniqueid,
  sip_account: 'sip',
  ndiscado: '0044',
  direction: 'out',
  caller_name: '',
  caller: '1',
  destination: '44',
  state: 'calling',
  country: 'United Kingdom',
  country_code: 'GB',
  started_at: '2026-03-01T12:00:00.000Z',
  answered_at: null,
  seconds: 0,
  cost: 0,
  price: 0.06,
  connect_fee: 0.005,
  first_increment: 6,
  next_increment: 6,
  route: 'UK Gold',
  is_demo: false,
  hangup_requested: false,
  ...about,
})

/** A server whose streams and polls the test controls. */
function createServer() {
  const streams: {
    lastEventId: string | undefined
    signal: AbortSignal
    say(text: string): void
    cut(): void
  }[] = []
  const server = {
    streams,
    refusesWith: null as number | null,
    polled: 0,
    polledCalls: [] as LiveCallView[] | null,
    async open(_token: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
      if (server.refusesWith === 0) throw new TypeError('fetch failed')
      if (server.refusesWith !== null) return new Response('{}', { status: server.refusesWith })
      const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        const cut = () => controller.error(new TypeError('network error'))
        signal.addEventListener('abort', cut)
        const say = (text: string) => controller.enqueue(new TextEncoder().encode(text))
        streams.push({ lastEventId, signal, say, cut })
      }
      return new Response(new ReadableStream<Uint8Array>({ start }))
    },
    async poll() {
      server.polled++
      if (server.polledCalls === null) throw new Error('away')
      return { liveCalls: server.polledCalls.length, liveCallsDetails: server.polledCalls }
    },
    say(id: string, event: string, data: unknown): void {
      streams.at(-1)?.say(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
  }
  return server
}

const snapshot = (...calls: LiveCallView[]) => ({ liveCalls: calls.length, liveCallsDetails: calls })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function createPage() {
  let hidden = false
  const listeners = new Set<() => void>()
  return {
    isHidden: () => hidden,
    onChange(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show(isShown: boolean) {
      hidden = !isShown
      for (const listener of listeners) listener()
    },
  }
}

function watch(server: ReturnType<typeof createServer>) {
  const page = createPage()
  const store = createLiveStore<LiveCallView>(server, page)
  const changes = vi.fn<() => void>()
  const leave = store.subscribe(changes)
  const shown = () => store.current().calls.map(({ uniqueid, state }) => `${uniqueid} ${state}`)
  return { store, page, leave, shown, changes, status: () => store.current().status }
}

/** A store whose stream has sent the first list. */
async function connect(id: string, ...calls: LiveCallView[]) {
  const server = createServer()
  const watched = watch(server)
  await pass(0)
  server.say(id, 'snapshot', snapshot(...calls))
  await pass(0)
  return { server, ...watched }
}

beforeEach(() => {
  vi.useFakeTimers()
  writeToken('token')
})
afterEach(() => {
  vi.useRealTimers()
  writeToken(null)
})

describe('a stream', () => {
  test('applies events as they arrive, in one update per chunk', async () => {
    const server = createServer()
    const { store, shown, status, changes, leave } = watch(server)
    expect(status()).toBe('loading')
    await pass(0)
    server.say('e.0', 'snapshot', snapshot(call('a')))
    await pass(0)
    expect(status()).toBe('live')
    server.say('e.1', 'calling', call('b'))
    server.say('e.2', 'ringing', call('a', { state: 'ringing' }))
    await pass(0)
    expect(shown()).toEqual(['b calling', 'a ringing'])
    expect(store.current().liveCalls).toBe(2)
    server.say('e.3', 'ended', { uniqueid: 'b' })
    await pass(0)
    expect(shown()).toEqual(['a ringing'])
    expect(store.current().liveCalls).toBe(1)
    const before = changes.mock.calls.length
    server.streams[0]?.say(
      `id: e.4\nevent: calling\ndata: ${JSON.stringify(call('c'))}\n\nid: e.5\nevent: ended\ndata: {"uniqueid":"c"}\n\n`,
    )
    await pass(0)
    expect(changes).toHaveBeenCalledTimes(before + 1)
    expect(server.polled).toBe(0)
    leave()
  })

  test('resumes after a cut and keeps the list until then', async () => {
    const { server, shown, leave } = await connect('e.0', call('a'))
    server.say('e.7', 'ringing', call('a', { state: 'ringing' }))
    await pass(0)
    server.streams[0]?.cut()
    await pass(0)
    expect(shown()).toEqual(['a ringing'])
    await pass(1_000)
    expect(server.streams).toHaveLength(2)
    expect(server.streams[1]?.lastEventId).toBe('e.7')
    server.say('e.8', 'answered', call('a', { state: 'answered' }))
    await pass(0)
    expect(shown()).toEqual(['a answered'])
    await pass(10_000)
    expect(server.polled).toBe(0)
    leave()
  })

  test('reconnects when the stream is silent; keepalives prevent it', async () => {
    const { server, leave } = await connect('e.0')
    for (let seconds = 0; seconds < 60; seconds += 5) {
      server.streams[0]?.say(':\n\n')
      await pass(5_000)
    }
    expect(server.streams).toHaveLength(1)
    await pass(17_000)
    expect(server.streams[0]?.signal.aborted).toBe(true)
    expect(server.streams).toHaveLength(2)
    leave()
  })
})

describe('without a stream', () => {
  test('polls immediately and every five seconds until the stream is back', async () => {
    const server = createServer()
    server.refusesWith = 503
    server.polledCalls = [call('a')]
    const { shown, status, leave } = watch(server)
    await pass(0)
    expect(server.polled).toBe(1)
    expect([status(), shown()]).toEqual(['polling', ['a calling']])
    server.polledCalls = [call('a', { state: 'ringing' })]
    await pass(5_000)
    expect(server.polled).toBe(2)
    expect(shown()).toEqual(['a ringing'])
    server.refusesWith = null
    // Reconnect delays are random. The snapshot must be sent before the silence timeout.
    for (let waited = 0; server.streams.length === 0 && waited < 60; waited++) await pass(500)
    server.say('f.0', 'snapshot', snapshot(call('b')))
    await pass(0)
    expect([status(), shown()]).toEqual(['live', ['b calling']])
    const { polled } = server
    await pass(14_000)
    expect(server.polled).toBe(polled)
    leave()
  })

  test('shows nothing if polling fails too, and starts the next stream from scratch', async () => {
    const { server, store, status, leave } = await connect('e.3', call('a'))
    server.refusesWith = 0
    server.polledCalls = null
    server.streams[0]?.cut()
    await pass(6_000)
    expect(status()).toBe('away')
    expect(store.current()).toMatchObject({ liveCalls: 0, calls: [] })
    server.refusesWith = null
    await pass(30_000)
    expect(server.streams[1]?.lastEventId).toBeUndefined()
    leave()
  })

  test('increases the delay between attempts', async () => {
    const server = createServer()
    server.refusesWith = 0
    const open = vi.spyOn(server, 'open')
    const { leave } = watch(server)
    await pass(10 * 60_000)
    expect(open.mock.calls.length).toBeGreaterThan(15)
    expect(open.mock.calls.length).toBeLessThan(60)
    leave()
  })

  test('polls immediately after a refusal, to detect the end of the session', async () => {
    const { server, leave } = await connect('e.0')
    server.refusesWith = 401
    server.streams[0]?.cut()
    await pass(600)
    expect(server.polled).toBe(1)
    leave()
  })
})

test('disconnects and clears the list without listeners', async () => {
  const { server, store, leave } = await connect('e.0', call('a'))
  leave()
  expect(server.streams[0]?.signal.aborted).toBe(true)
  expect(store.current()).toEqual({ status: 'loading', liveCalls: 0, calls: [] })
  await pass(60_000)
  expect([server.streams.length, server.polled]).toEqual([1, 0])
})

test('disconnects while the page is hidden and resumes when it is visible', async () => {
  const { server, page, shown, leave } = await connect('e.4', call('a'))
  page.show(false)
  expect(server.streams[0]?.signal.aborted).toBe(true)
  await pass(60_000)
  expect([server.streams.length, server.polled]).toEqual([1, 0])
  page.show(true)
  await pass(0)
  expect(server.streams[1]?.lastEventId).toBe('e.4')
  server.say('e.5', 'ended', { uniqueid: 'a' })
  await pass(0)
  expect(shown()).toEqual([])
  leave()
  page.show(false)
  page.show(true)
  expect(server.streams).toHaveLength(2)
})

test('extrapolates costs by the terms of the call', () => {
  vi.setSystemTime(1_000_000)
  const answered = call('a', { state: 'answered', seconds: 1, cost: 0.011 })
  const first = applyEvent<LiveCallView>(
    { liveCalls: 0, calls: [] },
    'snapshot',
    snapshot(answered, call('b')),
  )
  vi.setSystemTime(1_005_000)
  const tick = { liveCalls: 2, costs: [{ uniqueid: 'a', seconds: 6, cost: 0.011 }] }
  const { calls } = applyEvent(first, 'cost', tick)
  const [a, b] = calls
  if (!a || !b) throw new Error('both are shown')
  expect(countOn(a, 1_005_999)).toEqual({ seconds: 6, cost: 0.011 })
  expect(countOn(a, 1_006_000)).toEqual({ seconds: 7, cost: 0.017 })
  expect(countOn(b, 1_006_000)).toEqual({ seconds: 0, cost: 0 })
  expect(applyEvent(first, 'of tomorrow', {})).toEqual(first)
})
