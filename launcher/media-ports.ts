import { createSocket, type Socket } from 'node:dgram'
import { UserError } from './user-error.ts'

export type PortRange = { from: number; to: number }
type ClaimedPorts = PortRange & { release(): Promise<void> }

export const DEFAULT_RANGE: PortRange = { from: 20_000, to: 29_999 }

/** Where a switch may go whose ports nobody has to know: the usual ones, then smaller pieces above them. */
export const anyRange: readonly PortRange[] = [
  DEFAULT_RANGE,
  ...Array.from({ length: 15 }, (_, at) => ({ from: 30_000 + at * 2_000, to: 31_999 + at * 2_000 })),
]

const MARK_EVERY = 1_000

/**
 * The first of these ranges that no other switch of this machine has. rtpengine opens a port that another rtpengine has
 * open, and the later one hears the speech of the earlier one's calls; so we hold some ports of ours ourselves, with nobody.
 */
export async function claimMediaPorts(ranges: readonly PortRange[]): Promise<ClaimedPorts> {
  for (const range of ranges) {
    const marks: Socket[] = []
    const release = async () => {
      await Promise.all(marks.splice(0).map((mark) => new Promise<void>((done) => mark.close(done))))
    }
    try {
      for (const port of marksOf(range)) marks.push(await hold(port))
      return { ...range, release }
    } catch {
      await release()
    }
  }
  const tried = ranges.map(({ from, to }) => `${from}-${to}`).join(', ')
  throw new UserError(
    `The ports for speech (${tried}) are used by another switch of this machine. Choose others with SIP_MEDIA_PORTS.`,
  )
}

/** The first and every thousandth: ranges that overlap by more meet in one of them. */
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
