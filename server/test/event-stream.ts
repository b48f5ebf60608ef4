import { methodAndPath } from '@trunkline/contract'
import { expect, onTestFinished, vi } from 'vitest'
import { createEventReader } from '../../web/src/app/server-events.ts'
import type { Portal } from './portal.ts'

type StreamAddress = 'GET /api/live-calls/stream' | 'GET /api/admin/live-calls/stream'

// biome-ignore lint/suspicious/noExplicitAny: tests read events of every type.
export type Seen = { event: string; id: string | undefined; data: any }

const addresses = new WeakMap<Portal, Promise<string>>()

/** Listens on a real socket and returns the base URL. */
export function addressOf(portal: Portal): Promise<string> {
  const known = addresses.get(portal) ?? portal.api.listen({ port: 0, host: '127.0.0.1' })
  addresses.set(portal, known)
  return known
}

/** Reads an event stream over a real socket and keeps all events. */
export async function openStream(
  portal: Portal,
  token: string,
  { address = 'GET /api/live-calls/stream' as StreamAddress, after = '', lastEventId = '' } = {},
) {
  const leave = new AbortController()
  const query = after ? `?after=${encodeURIComponent(after)}` : ''
  const response = await fetch(`${await addressOf(portal)}${methodAndPath(address).path}${query}`, {
    headers: { authorization: `Bearer ${token}`, ...(lastEventId && { 'last-event-id': lastEventId }) },
    signal: leave.signal,
  })
  let raw = ''
  let isOver = false
  const reading = (async () => {
    try {
      for await (const chunk of response.body ?? []) raw += Buffer.from(chunk).toString()
    } catch {
      // The server closed the connection.
    }
    isOver = true
  })()
  onTestFinished(async () => {
    leave.abort()
    await reading
  })

  const events = (): Seen[] =>
    createEventReader()(raw).map(({ event, id, data }) => ({ event, id, data: JSON.parse(data) }))
  const until = <Found>(look: () => Found) => vi.waitFor(look, { timeout: 20_000, interval: 5 })

  return {
    response,
    raw: () => raw,
    events,
    names: (): string[] => events().map(({ event }) => event),
    lastId: (): string => events().findLast(({ id }) => id)?.id ?? '',
    /** Waits until the event names so far equal these. */
    sees: (...names: string[]) => until(() => expect(events().map(({ event }) => event)).toEqual(names)),
    /** Waits for an event about a call. */
    about: (event: string, callId: string): Promise<Seen> =>
      until(() => {
        const found = events().find((one) => one.event === event && one.data.uniqueid === callId)
        expect(found, `${event} of ${callId}`).toBeDefined()
        return found as Seen
      }),
    isOver: () => isOver,
    over: () => until(() => expect(isOver).toBe(true)),
    async leave() {
      leave.abort()
      await reading
    },
  }
}

/** The live calls after applying these events. */
export function pictureOf(events: readonly Seen[]): Map<string, Seen['data']> {
  const calls = new Map<string, Seen['data']>()
  for (const { event, data } of events) {
    if (event === 'snapshot') {
      calls.clear()
      for (const call of data.liveCallsDetails) calls.set(call.uniqueid, call)
    } else if (event === 'ended') calls.delete(data.uniqueid)
    else if (event !== 'cost') calls.set(data.uniqueid, data)
  }
  return calls
}
