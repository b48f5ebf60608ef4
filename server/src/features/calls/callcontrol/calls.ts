import { INNER_LEG_ROUTE_ID, isDeviceLeg } from '@trunkline/domain/callcontrol'
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
  /** The trunk of outgoing calls, or the number of incoming ones. */
  trunkId: number | null
  numberId: number | null
  direction: Call['direction']
  calls: number
  heldMicros: Micros
}

/** `live` counts outgoing calls, because the limits of both directions are separate. A flow's leg to own devices does not count. */
type Use = { live: number; incoming: number; heldMicros: Micros }
const NO_USE: Use = { live: 0, incoming: 0, heldMicros: ZERO }
type Counted = Pick<ForeignUse, 'direction' | 'calls' | 'heldMicros'>

const sumOf = (use: Use, { direction, calls, heldMicros }: Counted): Use => ({
  live: use.live + (direction === 'out' ? calls : 0),
  incoming: use.incoming + (direction === 'in' ? calls : 0),
  heldMicros: add(use.heldMicros, heldMicros),
})

/**
 * The live calls of connected switches in memory. Limits and trunk capacities use these counts. Money does not: it depends on the
 * holds in the database.
 */
export function createCalls(clock: Clock) {
  const tracked = new Map<string, Tracked>()
  const users = new Map<number, Use>()
  const trunks = new Map<number, number>()
  /** Incoming calls by number, and the legs that a leg has requested. */
  const byNumber = new Map<number, Set<string>>()
  const children = new Map<string, Set<string>>()
  const begun = new Map<number, number>()
  let begunSecond = 0
  const adopted = new Set<string>()
  let foreign: readonly ForeignUse[] = []
  let foreignUsers = new Map<number, Use>()
  let foreignTrunks = new Map<number, number>()
  let foreignNumbers = new Map<number, number>()

  const nowMs = () => clock.now().getTime()

  /** Before it rings, a call counts for its first trunk. The capacity of a trunk limits outgoing calls only. */
  const trunkOf = ({ direction, trunk, offered }: Call): number | null =>
    direction === 'in' ? null : (trunk?.id ?? offered[0]?.id ?? null)

  function count(call: Call, sign: 1 | -1): void {
    const heldMicros = sign === 1 ? call.heldMicros : subtract(ZERO, call.heldMicros)
    const use = sumOf(users.get(call.userId) ?? NO_USE, {
      direction: call.direction,
      calls: isDeviceLeg(call.routeId) ? 0 : sign,
      heldMicros,
    })
    if (use.live + use.incoming === 0) users.delete(call.userId)
    else users.set(call.userId, use)
    const trunkId = trunkOf(call)
    if (trunkId !== null) trunks.set(trunkId, (trunks.get(trunkId) ?? 0) + sign)
  }

  function countForeign(): void {
    foreignUsers = new Map()
    foreignTrunks = new Map()
    foreignNumbers = new Map()
    for (const { switchId, userId, trunkId, numberId, ...counted } of foreign) {
      if (adopted.has(switchId)) continue
      const { direction, calls } = counted
      foreignUsers.set(userId, sumOf(foreignUsers.get(userId) ?? NO_USE, counted))
      if (trunkId !== null) foreignTrunks.set(trunkId, (foreignTrunks.get(trunkId) ?? 0) + calls)
      if (numberId !== null && direction === 'in')
        foreignNumbers.set(numberId, (foreignNumbers.get(numberId) ?? 0) + calls)
    }
  }

  const incomingNumber = ({ direction, numberId }: Call): number | null =>
    direction === 'in' ? numberId : null

  function link(call: Call): void {
    const numberId = incomingNumber(call)
    if (numberId !== null) addTo(byNumber, numberId, call.callId)
    if (call.parentCallId !== null) addTo(children, call.parentCallId, call.callId)
  }

  function unlink(call: Call): void {
    const numberId = incomingNumber(call)
    if (numberId !== null) removeFrom(byNumber, numberId, call.callId)
    if (call.parentCallId !== null) removeFrom(children, call.parentCallId, call.callId)
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
      link(call)
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
      unlink(one.call)
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
      return {
        live: here.live + there.live,
        incoming: here.incoming + there.incoming,
        heldMicros: add(here.heldMicros, there.heldMicros),
      }
    },
    liveOfNumber: (numberId: number): number =>
      (byNumber.get(numberId)?.size ?? 0) + (foreignNumbers.get(numberId) ?? 0),
    /** Incoming calls of a number of which another leg waits for an answer. A flow has answered the call itself. */
    forwardedCalls: (numberId: number): Call[] =>
      [...(byNumber.get(numberId) ?? [])].flatMap((callId) => {
        const call = tracked.get(callId)?.call
        const legs = [...(children.get(callId) ?? [])].map((leg) => tracked.get(leg)?.call)
        const isWaiting = legs.some((leg) => leg?.state !== 'answered' && leg?.routeId !== INNER_LEG_ROUTE_ID)
        return call && isWaiting ? call : []
      }),
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
        unlink(call)
      }
      foreign = [
        ...foreign.filter((use) => use.switchId !== switchId),
        ...left.map(({ call }) => ({
          switchId,
          userId: call.userId,
          trunkId: trunkOf(call),
          numberId: call.numberId,
          direction: call.direction,
          calls: 1,
          heldMicros: call.heldMicros,
        })),
      ]
      countForeign()
    },
    adopted: (): string[] => [...adopted],
  }
}

function addTo<Key>(sets: Map<Key, Set<string>>, key: Key, value: string): void {
  const known = sets.get(key)
  if (known) known.add(value)
  else sets.set(key, new Set([value]))
}

function removeFrom<Key>(sets: Map<Key, Set<string>>, key: Key, value: string): void {
  const known = sets.get(key)
  known?.delete(value)
  if (known?.size === 0) sets.delete(key)
}
