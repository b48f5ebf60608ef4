import { createSocket, type Socket } from 'node:dgram'
import { UserError } from './user-error.ts'

export type PortRange = { from: number; to: number }
export type ClaimedPorts = PortRange & {
  /** Frees the first port for rtpengine itself. */
  releaseFirst(): Promise<void>
  release(): Promise<void>
}

export const DEFAULT_RANGE: PortRange = { from: 20_000, to: 29_999 }

/** Ranges to try when no firewall depends on the ports: the default range, then smaller ranges above it. */
export const FALLBACK_RANGES: readonly PortRange[] = [
  DEFAULT_RANGE,
  ...Array.from({ length: 15 }, (_, at) => ({ from: 30_000 + at * 2_000, to: 31_999 + at * 2_000 })),
]

const MARK_EVERY = 1_000

/**
 * Claims the first range that no other switch on this machine uses. Two rtpengine processes can open the same port, and the second
 * one then receives the first one's audio. To prevent this, we bind a loopback socket to some ports of the range.
 */
export async function claimMediaPorts(ranges: readonly PortRange[]): Promise<ClaimedPorts> {
  for (const range of ranges) {
    const marks: Socket[] = []
    const free = async (freed: Socket[]) => {
      await Promise.all(freed.map((mark) => new Promise<void>((done) => mark.close(done))))
    }
    const release = () => free(marks.splice(0))
    try {
      for (const port of marksOf(range)) marks.push(await hold(port))
      return { ...range, release, releaseFirst: () => free(marks.splice(0, 1)) }
    } catch {
      await release()
    }
  }
  const tried = ranges.map(({ from, to }) => `${from}-${to}`).join(', ')
  throw new UserError(
    `Another switch on this machine uses the media ports (${tried}). Choose others with SIP_MEDIA_PORTS.`,
  )
}

/** The first port and every thousandth: ranges that overlap by 1,000 ports share at least one of them. */
function marksOf({ from, to }: PortRange): number[] {
  const marks = [from]
  for (let port = Math.ceil((from + 1) / MARK_EVERY) * MARK_EVERY; port <= to; port += MARK_EVERY)
    marks.push(port)
  return marks
}

function hold(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const mark = createSocket('udp4').unref()
    mark.once('error', reject)
    mark.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(mark))
  })
}
