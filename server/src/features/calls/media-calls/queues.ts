import { type Clock, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { every } from '../../../platform/every.ts'
import { listen } from '../../../platform/listen.ts'
import { enterQueue, leaveQueue, QUEUE_CHANNEL, type QueuedCall, queuePositions } from './queue-store.ts'

export type Queues = ReturnType<typeof createQueues>

type Deps = { db: Database; databaseUrl: string; clock: Clock; onError: (error: unknown) => void }

type Waiting = { position: number; onPosition: (position: number) => void }

/** The calls of this process that wait in queues. Callers of all media processes share one order. */
export function createQueues({ db, databaseUrl, clock, onError }: Deps) {
  const waiting = new Map<string, Waiting>()
  let isRefreshing = false
  let isStale = false

  /** Concurrent requests share one more run. */
  async function refresh(): Promise<void> {
    isStale = true
    if (isRefreshing) return
    isRefreshing = true
    try {
      while (isStale && waiting.size > 0) {
        isStale = false
        const asked = new Map(waiting)
        const positions = await queuePositions(db, [...asked.keys()])
        for (const [callId, position] of positions) move(callId, asked.get(callId), position)
      }
    } finally {
      isRefreshing = false
    }
  }

  /** A call that is in another queue by now has another position. */
  function move(callId: string, call: Waiting | undefined, position: number): void {
    if (!call || call !== waiting.get(callId) || call.position === position) return
    call.position = position
    call.onPosition(position)
  }

  const listener = listen({
    url: databaseUrl,
    channels: { [QUEUE_CHANNEL]: () => void refresh().catch(onError) },
    onListening: () => void refresh().catch(onError),
    onError,
  })
  // Notices what a lost notification or a killed process did not announce.
  const poll = every(SECOND, refresh, onError)

  return {
    /** False if the queue is full. `onPosition` is called at once and after every change. */
    async enter(
      call: QueuedCall,
      { maxWaiting, onPosition }: { maxWaiting: number; onPosition: (position: number) => void },
    ): Promise<boolean> {
      const position = await enterQueue(db, call, { maxWaiting, now: clock.now() })
      if (position === null) return false
      waiting.set(call.callId, { position, onPosition })
      onPosition(position)
      return true
    },
    async leave(callId: string): Promise<void> {
      waiting.delete(callId)
      await leaveQueue(db, callId)
    },
    async close(): Promise<void> {
      poll.stop()
      await listener.close()
    },
  }
}
