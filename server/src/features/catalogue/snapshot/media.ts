import { SECOND } from '../../../platform/clock.ts'
import type { FlowFacts, MediaServer } from './media-store.ts'

/** A media process whose sign of life does not change for this time is gone. It writes one every second. */
export const MEDIA_GONE_AFTER_MS = 3 * SECOND

/** `noticedAt` is our time of its last sign of life: the clocks of two machines may differ. */
type Known = { server: MediaServer; noticedAt: number }

/** Media processes and flows in memory. */
export function createMediaIndex() {
  let servers = new Map<string, Known>()
  let readAt = Number.NEGATIVE_INFINITY
  let flows = new Map<number, FlowFacts>()

  const aliveServers = (): MediaServer[] =>
    [...servers.values()].flatMap(({ server, noticedAt }) =>
      readAt - noticedAt < MEDIA_GONE_AFTER_MS ? server : [],
    )

  return {
    /** Returns the previous ones. After a gap without reads, all that were alive before it count as alive at first. */
    replaceMediaServers(all: readonly MediaServer[], now: number): MediaServer[] {
      const before = servers
      const isGap = now - readAt >= MEDIA_GONE_AFTER_MS
      const gone = new Set(before.keys())
      for (const { id } of aliveServers()) gone.delete(id)
      readAt = now
      servers = new Map(
        all.map((server) => {
          const known = before.get(server.id)
          const isSame = known?.server.seenAt.getTime() === server.seenAt.getTime()
          const isStale = isSame && (!isGap || gone.has(server.id))
          return [server.id, { server, noticedAt: known && isStale ? known.noticedAt : now }]
        }),
      )
      return [...before.values()].map(({ server }) => server)
    },
    replaceFlows(all: readonly FlowFacts[]): void {
      flows = new Map(all.map((flow) => [flow.id, flow]))
    },
    replaceFlow(id: number, flow: FlowFacts | undefined): void {
      if (flow) flows.set(id, flow)
      else flows.delete(id)
    },

    mediaServer: (id: string): MediaServer | undefined => servers.get(id)?.server,
    aliveMediaServers: aliveServers,
    /** Servers that take new calls, the one with the fewest calls first. */
    readyMediaServers: (): MediaServer[] =>
      aliveServers()
        .filter(({ isLeaving }) => !isLeaving)
        .sort((one, other) => one.liveCalls - other.liveCalls),
    /** A flow of this customer. */
    flowOf(userId: number, id: number): FlowFacts | undefined {
      const flow = flows.get(id)
      return flow?.userId === userId ? flow : undefined
    },
  }
}
