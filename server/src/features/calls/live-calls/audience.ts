import { Readable } from 'node:stream'

/**
 * Viewers of the same calls. Every event is serialized once, kept for a while and sent to all of them. Events are numbered within the
 * audience, so that the numbers reveal nothing about other calls.
 */
export type Audience = ReturnType<typeof createAudience>

type Options = {
  /** Unique per audience; an event number is valid only with its epoch. */
  epoch: string
  /** Number of events kept for resuming viewers. */
  keep: number
}

/** Unread bytes before a viewer is disconnected. After the reconnect it gets a snapshot. */
const MAX_UNREAD_BYTES = 2 * 1024 * 1024

const NOTHING_NEW = ':\n\n'

export function createAudience({ epoch, keep }: Options) {
  const viewers = new Set<Readable>()
  let kept: { number: number; text: string }[] = []
  let last = 0
  let unsent: string[] = []

  const write = (viewer: Readable, bytes: Buffer) => {
    if (viewer.readableLength > MAX_UNREAD_BYTES) viewer.destroy()
    else viewer.push(bytes)
  }

  function send(): void {
    if (unsent.length === 0) return
    const bytes = Buffer.from(unsent.join(''))
    unsent = []
    for (const viewer of viewers) write(viewer, bytes)
  }

  /** Events of one event-loop turn are sent in one write. */
  function sendSoon(text: string): void {
    if (unsent.length === 0) setImmediate(send)
    unsent.push(text)
  }

  /** Null if the events are no longer kept, or the ID is of another audience. */
  function missedSince(id: string | undefined): string | null {
    const [, itsEpoch, number] = /^([\w-]+)\.(\d{1,15})$/.exec(id ?? '') ?? []
    const seen = Number(number)
    if (itsEpoch !== epoch || seen > last || seen < last - kept.length) return null
    return kept
      .filter((event) => event.number > seen)
      .map(({ text }) => text)
      .join('')
  }

  return {
    size: (): number => viewers.size,

    publish(event: string, data: unknown): void {
      last++
      const text = `id: ${epoch}.${last}\n${eventText(event, data)}`
      kept.push({ number: last, text })
      if (kept.length > keep) kept = kept.slice(-Math.ceil(keep / 2))
      if (viewers.size > 0) sendSoon(text)
    },

    /** Sends a transient event, which is neither numbered nor kept; without an event, a heartbeat. */
    mention(event: string | null, data?: unknown): void {
      if (viewers.size > 0) sendSoon(event === null ? NOTHING_NEW : eventText(event, data))
    },

    /** Resumes after the last seen event if possible, else starts with a snapshot. */
    open(after: string | undefined, snapshot: () => unknown): Readable {
      // The snapshot of a new viewer includes the queued events.
      send()
      const viewer = new Readable({ read() {} })
      const missed = missedSince(after)
      viewer.push(
        missed === null
          ? `id: ${epoch}.${last}\n${eventText('snapshot', snapshot())}`
          : `${NOTHING_NEW}${missed}`,
      )
      viewers.add(viewer)
      viewer.once('close', () => viewers.delete(viewer))
      return viewer
    },
  }
}

const eventText = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
