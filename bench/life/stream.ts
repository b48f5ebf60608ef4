import type { AdminLiveCallView, EndedCallView, LiveCallView } from '@trunkline/contract/live-calls'
import { createEventReader, type ServerEvent } from '../../web/src/app/server-events.ts'
import type { Person } from './person.ts'

export const OWN = '/api/live-calls/stream'
export const EVERYBODYS = '/api/admin/live-calls/stream'

/** The period between two snapshots, including reconnects; no event may be missing in it. */
export type Watch = {
  from: number
  to: number
  begun: Set<string>
  answered: Set<string>
  ended: Map<string, EndedCallView>
}

export type LiveStream = ReturnType<typeof createLiveStream>

/** Events right after a connect are replays and have no meaningful latency. */
const SETTLED_MS = 500

/** A browser's stream of live calls and its current state. */
export function createLiveStream(person: Person, path: string, urls: readonly string[]) {
  const picture = new Map<string, LiveCallView['state']>()
  const watches: Watch[] = []
  /** Latency in milliseconds from the switch to the browser. */
  const delays = { calling: [] as number[], answered: [] as number[] }
  const counts = { events: 0, snapshots: 0, openings: 0, resumed: 0, missed: 0, faults: [] as string[] }
  const onAnswered: ((call: LiveCallView) => void)[] = []
  let url = person.url
  let last = { epoch: '', number: 0 }
  let hasBegun = false
  let openedAt = 0
  let cut: AbortController | null = null
  let reading: Promise<void> = Promise.resolve()

  function handleEvent({ event, data, id }: ServerEvent): void {
    const now = Date.now()
    counts.events++
    if (id !== undefined) follow(id, event)
    const watch = watches.at(-1)
    if (event === 'snapshot') {
      const { liveCallsDetails } = JSON.parse(data) as { liveCallsDetails: LiveCallView[] }
      picture.clear()
      for (const { uniqueid, state } of liveCallsDetails) picture.set(uniqueid, state)
      watches.push({ from: now, to: now, begun: new Set(), answered: new Set(), ended: new Map() })
      return
    }
    if (watch) watch.to = now
    if (event === 'cost') return
    if (event === 'ended') {
      const ended = JSON.parse(data) as EndedCallView
      if (!picture.delete(ended.uniqueid)) counts.faults.push(`${ended.uniqueid} ended and was not shown`)
      watch?.ended.set(ended.uniqueid, ended)
      return
    }
    const call = JSON.parse(data) as LiveCallView | AdminLiveCallView
    picture.set(call.uniqueid, call.state)
    watch?.begun.add(call.uniqueid)
    const isFresh = now - openedAt > SETTLED_MS
    if (event === 'calling' && isFresh) delays.calling.push(now - Date.parse(call.started_at))
    if (event !== 'answered') return
    watch?.answered.add(call.uniqueid)
    if (isFresh && call.answered_at) delays.answered.push(now - Date.parse(call.answered_at))
    for (const listener of onAnswered) listener(call)
  }

  /** Event numbers have no gap within an epoch. */
  function follow(id: string, event: string): void {
    const [epoch = '', number = ''] = id.split('.')
    const isNext = epoch === last.epoch && Number(number) === last.number + 1
    if (event === 'snapshot') counts.snapshots++
    else if (!isNext) counts.missed++
    last = { epoch, number: Number(number) }
  }

  async function read(signal: AbortSignal): Promise<void> {
    const response = await fetch(`${url}${path}`, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${person.token}`,
        ...(hasBegun && { 'last-event-id': `${last.epoch}.${last.number}` }),
      },
      signal,
    })
    if (!response.ok || !response.body) throw new Error(`the stream returned ${response.status}`)
    counts.openings++
    openedAt = Date.now()
    const { snapshots } = counts
    // Only a resumed stream may start without a snapshot.
    let isResuming = hasBegun
    const events = createEventReader()
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      for (const event of events(text)) handleEvent(event)
      if (isResuming && counts.snapshots === snapshots) counts.resumed++
      isResuming = false
      hasBegun = true
      const watch = watches.at(-1)
      if (watch) watch.to = Date.now()
    }
    throw new Error('the server ended the stream')
  }

  return {
    person,
    path,
    picture,
    watches,
    delays,
    counts,
    /** Called for every answered call. */
    onAnswered: (listener: (call: LiveCallView) => void) => void onAnswered.push(listener),

    /** Resumes the stream at the same or another API process. */
    open(atAnother = false): void {
      if (cut) return
      if (atAnother) url = urls.find((one) => one !== url) ?? url
      cut = new AbortController()
      const { signal } = cut
      reading = read(signal).catch((error: unknown) => {
        if (!signal.aborted) counts.faults.push(String(error))
      })
    },
    async close(): Promise<void> {
      cut?.abort()
      cut = null
      await reading
    },
  }
}
