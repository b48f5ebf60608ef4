import { add, type Micros, subtract, ZERO } from '@trunkline/domain/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Call } from '../live-calls/call.ts'

export type Calls = ReturnType<typeof createCalls>

/** A call in this process's memory. */
export type Tracked = {
  call: Call
  /** Whether its row is committed. */
  isPlaced: boolean
  /** Time of the last message of its switch about it. */
  seenAt: number | null
  /** Since when its switch has not listed it. */
  missedSince: number | null
  /** Earliest time of the next extension. */
  nextExtensionAt: number
  /** Time of the last hangup command for it. */
  toldToEndAt: number | null
}

/** Counts of calls on switches that this process is not connected to. */
export type ForeignUse = {
  switchId: string
  userId: number
  trunkId: number | null
  calls: number
  heldMicros: Micros
}

type Use = { live: number; heldMicros: Micros }
const NO_USE: Use = { live: 0, heldMicros: ZERO }

/**
 * The live calls of connected switches in memory. Limits and trunk capacities use these counts. Money does not: it depends on the
 * holds in the database.
 */
export function createCalls(clock: Clock) {
  const tracked = new Map<string, Tracked>()
  const users = new Map<number, Use>()
  const trunks = new Map<number, number>()
  const begun = new Map<number, number>()
  let begunSecond = 0
  const adopted = new Set<string>()
  let foreign: readonly ForeignUse[] = []
  let foreignUsers = new Map<number, Use>()
  let foreignTrunks = new Map<number, number>()

  const nowMs = () => clock.now().getTime()

  /** Before it rings, a call counts for its first trunk. */
  const trunkOf = ({ trunk, offered }: Call): number | null => trunk?.id ?? offered[0]?.id ?? null

  function count(call: Call, sign: 1 | -1): void {
    const use = users.get(call.userId) ?? NO_USE
    const live = use.live + sign
    if (live === 0) users.delete(call.userId)
    else
      users.set(call.userId, {
        live,
        heldMicros:
          sign === 1 ? add(use.heldMicros, call.heldMicros) : subtract(use.heldMicros, call.heldMicros),
      })
    const trunkId = trunkOf(call)
    if (trunkId !== null) trunks.set(trunkId, (trunks.get(trunkId) ?? 0) + sign)
  }

  function countForeign(): void {
    foreignUsers = new Map()
    foreignTrunks = new Map()
    for (const { switchId, userId, trunkId, calls, heldMicros } of foreign) {
      if (adopted.has(switchId)) continue
      const use = foreignUsers.get(userId) ?? NO_USE
      foreignUsers.set(userId, { live: use.live + calls, heldMicros: add(use.heldMicros, heldMicros) })
      if (trunkId !== null) foreignTrunks.set(trunkId, (foreignTrunks.get(trunkId) ?? 0) + calls)
    }
  }

  return {
    get: (callId: string): Tracked | undefined => tracked.get(callId),
    all: (): Iterable<Tracked> => tracked.values(),
    size: (): number => tracked.size,

    add(call: Call, isPlaced: boolean): Tracked {
      const one: Tracked = {
        call,
        isPlaced,
        seenAt: null,
        missedSince: null,
        nextExtensionAt: 0,
        toldToEndAt: null,
      }
      tracked.set(call.callId, one)
      count(call, 1)
      return one
    },
    /** Replaces the known call. */
    update(one: Tracked, changes: Partial<Call>): void {
      count(one.call, -1)
      one.call = { ...one.call, ...changes }
      count(one.call, 1)
    },
    remove(callId: string): void {
      const one = tracked.get(callId)
      if (!one) return
      tracked.delete(callId)
      count(one.call, -1)
    },

    /** Counts a new call toward the calls per second, even before it is admitted. */
    begin(userId: number): void {
      const second = Math.floor(nowMs() / 1000)
      if (second !== begunSecond) {
        begun.clear()
        begunSecond = second
      }
      begun.set(userId, (begun.get(userId) ?? 0) + 1)
    },
    begunThisSecond: (userId: number): number =>
      Math.floor(nowMs() / 1000) === begunSecond ? (begun.get(userId) ?? 0) : 0,

    useOf(userId: number): Use {
      const here = users.get(userId) ?? NO_USE
      const there = foreignUsers.get(userId)
      if (!there) return here
      return { live: here.live + there.live, heldMicros: add(here.heldMicros, there.heldMicros) }
    },
    /** Calls of connected switches. */
    liveOn: (userId: number, routeId: number): number =>
      [...tracked.values()].filter(({ call }) => call.userId === userId && call.routeId === routeId).length,
    usedOf: (trunkId: number): number => (trunks.get(trunkId) ?? 0) + (foreignTrunks.get(trunkId) ?? 0),

    setForeign(uses: readonly ForeignUse[]): void {
      foreign = uses
      countForeign()
    },
    /** From now on this process tracks the calls of this switch itself. */
    adopt(switchId: string): void {
      adopted.add(switchId)
      countForeign()
    },
    /**
     * The connection is lost: its calls continue, perhaps under another call control. They count as calls of another process until the
     * reconnect and the comparison.
     */
    letGo(switchId: string): void {
      if (!adopted.delete(switchId)) return
      const left = [...tracked.values()].filter((one) => one.isPlaced && one.call.switchId === switchId)
      for (const { call } of left) {
        tracked.delete(call.callId)
        count(call, -1)
      }
      foreign = [
        ...foreign.filter((use) => use.switchId !== switchId),
        ...left.map(({ call }) => ({
          switchId,
          userId: call.userId,
          trunkId: trunkOf(call),
          calls: 1,
          heldMicros: call.heldMicros,
        })),
      ]
      countForeign()
    },
    adopted: (): string[] => [...adopted],
  }
}
