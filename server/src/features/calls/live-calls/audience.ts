import { Readable } from 'node:stream'

/**
 * Those who see the same: every event is written once, kept for a while, and handed to all of them. Events are numbered
 * within the audience, so that a number says nothing about anybody else.
 */
export type Audience = ReturnType<typeof createAudience>

type Options = {
  /** Unlike that of any audience before it: a number is worth something only together with it. */
  epoch: string
  /** How many events are kept for those who come back. */
  keep: number
}

/** What a reader may leave unread before they are cut off. They come back and are told where things stand. */
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

  /** What happens in one turn of the event loop leaves together. */
  function sendSoon(text: string): void {
    if (unsent.length === 0) setImmediate(send)
    unsent.push(text)
  }

  /** Null: cannot be told any more, or never was ours to tell. */
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

    /** Something that is out of date with the next one: not numbered and not kept. Without it, a sign of life. */
    mention(event: string | null, data?: unknown): void {
      if (viewers.size > 0) sendSoon(event === null ? NOTHING_NEW : eventText(event, data))
    },

    /** Goes on after the event that was seen last where that is possible, else begins with how things stand. */
    open(after: string | undefined, snapshot: () => unknown): Readable {
      // Whoever joins now has what is waiting in their snapshot.
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
