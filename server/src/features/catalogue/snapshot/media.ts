import type { FlowFacts, MediaServer } from './media-store.ts'

/** Media processes and flows in memory. */
export function createMediaIndex() {
  let servers = new Map<string, MediaServer>()
  let flows = new Map<number, FlowFacts>()

  return {
    /** Returns the previous ones. */
    replaceMediaServers(all: readonly MediaServer[]): MediaServer[] {
      const before = [...servers.values()]
      servers = new Map(all.map((server) => [server.id, server]))
      return before
    },
    replaceFlows(all: readonly FlowFacts[]): void {
      flows = new Map(all.map((flow) => [flow.id, flow]))
    },
    replaceFlow(id: number, flow: FlowFacts | undefined): void {
      if (flow) flows.set(id, flow)
      else flows.delete(id)
    },

    mediaServer: (id: string): MediaServer | undefined => servers.get(id),
    mediaServers: (): MediaServer[] => [...servers.values()],
    /** Servers that take new calls, the one with the fewest calls first. */
    readyMediaServers: (): MediaServer[] =>
      [...servers.values()]
        .filter(({ isAlive, isLeaving }) => isAlive && !isLeaving)
        .sort((one, other) => one.liveCalls - other.liveCalls),
    /** A flow of this customer. */
    flowOf(userId: number, id: number): FlowFacts | undefined {
      const flow = flows.get(id)
      return flow?.userId === userId ? flow : undefined
    },
  }
}
