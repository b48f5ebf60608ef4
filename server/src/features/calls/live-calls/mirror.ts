import { earlier, MINUTE } from '../../../platform/clock.ts'
import type { LiveCall } from './call.ts'
import type { EndedCall, LiveChange } from './live-call.ts'
import type { CallStateRow } from './store.ts'

/**
 * Mirrors all live calls in memory and turns changes into events. Notifications may be lost, late or out of order; the table is
 * authoritative. Each change becomes one event, whether it was notified or found by a comparison.
 */
export type MirrorEvent =
  | {
      kind: 'calling' | 'ringing' | 'answered' | 'updated'
      call: LiveCall
      /** False if no field visible to the owner has changed. */
      isForOwner: boolean
    }
  | { kind: 'ended'; call: LiveCall; ended: EndedCall | null }

/** How long ended calls are remembered, to ignore late notifications. */
const ENDED_KNOWN_FOR = 2 * MINUTE

const rank = { authorized: 0, ringing: 1, answered: 2 }
const eventOf = { authorized: 'calling', ringing: 'ringing', answered: 'answered' } as const

export function createMirror() {
  const calls = new Map<string, LiveCall>()
  const byUser = new Map<number, Map<string, LiveCall>>()
  const endedAt = new Map<string, Date>()
  /** Calls notified since the comparison started to read; the mirror is newer for them. */
  let changedDuringRead: Set<string> | null = null

  function put(call: LiveCall): MirrorEvent | null {
    const before = calls.get(call.callId)
    calls.set(call.callId, call)
    const own = byUser.get(call.userId) ?? new Map<string, LiveCall>()
    byUser.set(call.userId, own.set(call.callId, call))
    if (before && isSameCall(before, call)) return null
    const kind = before?.state === call.state ? 'updated' : eventOf[call.state]
    return { kind, call, isForOwner: !before || !isSameForOwner(before, call) }
  }

  function remove(callId: string, ended: EndedCall | null, now: Date): MirrorEvent | null {
    endedAt.set(callId, now)
    const call = calls.get(callId)
    if (!call) return null
    calls.delete(callId)
    const own = byUser.get(call.userId)
    own?.delete(callId)
    if (own?.size === 0) byUser.delete(call.userId)
    return { kind: 'ended', call, ended }
  }

  /** Handles a notification. */
  function applyChange(change: LiveChange, now: Date): MirrorEvent | null {
    const { callId } = change.call
    changedDuringRead?.add(callId)
    if (change.change === 'ended') return remove(callId, change.call, now)
    if (endedAt.has(callId)) return null
    const before = calls.get(callId)
    return before && isOlder(change.call, before)
      ? null
      : put({ ...change.call, hangupAt: change.call.hangupAt ?? before?.hangupAt ?? null })
  }

  return {
    applyChange,
    all: (): Iterable<LiveCall> => calls.values(),
    of: (userId: number): Iterable<LiveCall> => byUser.get(userId)?.values() ?? [],
    count: (): number => calls.size,
    countOf: (userId: number): number => byUser.get(userId)?.size ?? 0,

    /**
     * Compares with the table: `readStates` returns the current states, `readCalls` the calls that differ. Run one comparison at a time.
     */
    async compare(
      readStates: () => Promise<readonly CallStateRow[]>,
      readCalls: (callIds: string[]) => Promise<readonly LiveCall[]>,
      now: Date,
    ): Promise<MirrorEvent[]> {
      const changed = new Set<string>()
      changedDuringRead = changed
      try {
        const states = await readStates()
        const different = states.filter((row) => differs(row, calls.get(row.call_id)))
        const read = different.length > 0 ? await readCalls(different.map((row) => row.call_id)) : []
        const events: (MirrorEvent | null)[] = []
        for (const call of read) if (!changed.has(call.callId)) events.push(put(call))
        const live = new Set(states.map((row) => row.call_id))
        for (const callId of [...calls.keys()])
          if (!live.has(callId) && !changed.has(callId)) events.push(remove(callId, null, now))
        for (const [callId, at] of endedAt) if (at < earlier(now, ENDED_KNOWN_FOR)) endedAt.delete(callId)
        return events.filter((event) => event !== null)
      } finally {
        changedDuringRead = null
      }
    },
  }
}

/** States only go forward, and covered seconds only grow. */
const isOlder = (said: LiveCall, known: LiveCall): boolean =>
  rank[said.state] < rank[known.state] || said.coveredSeconds < known.coveredSeconds

const sameMoment = (one: Date | null, other: Date | null): boolean => one?.getTime() === other?.getTime()

const isSameForOwner = (one: LiveCall, other: LiveCall): boolean =>
  one.state === other.state &&
  sameMoment(one.answeredAt, other.answeredAt) &&
  (one.hangupAt === null) === (other.hangupAt === null)

const isSameCall = (one: LiveCall, other: LiveCall): boolean =>
  isSameForOwner(one, other) &&
  one.trunk?.id === other.trunk?.id &&
  one.coveredSeconds === other.coveredSeconds &&
  one.heldMicros === other.heldMicros

const differs = (row: CallStateRow, known: LiveCall | undefined): boolean =>
  !known ||
  row.state !== known.state ||
  !sameMoment(row.answered_at, known.answeredAt) ||
  (row.hangup_at === null) !== (known.hangupAt === null) ||
  row.trunk_id !== (known.trunk?.id ?? null) ||
  row.covered_seconds !== known.coveredSeconds ||
  row.held_micros !== known.heldMicros
