import type { Micros } from '../money/index.ts'
import type { CarrierLine } from './read-invoice.ts'

/** An answered call that our records attribute to the carrier. */
export type OwnCall = {
  readonly callId: string
  /** E.164 digits. */
  readonly number: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly answeredAt: number
  readonly seconds: number
  readonly costMicros: Micros
}

type Pair = {
  readonly line: CarrierLine
  readonly call: OwnCall
  /** Whole seconds. */
  readonly distance: number
  readonly seconds: number
}

/** More pairs than this are not compared one by one: sorting them would block the event loop. */
const MAX_PAIRS_PER_CALL = 20
const MAX_PAIRS = 50_000
const PAIRS_PER_STEP = 10_000

/**
 * Matches lines and calls of one number. A carrier may list the start, the answer or a moment between, so a pair fits if the line is
 * within the tolerance of that span. The nearest pair is taken first, by whole seconds as in most files; the duration decides between
 * equally near ones.
 */
export function* matchGroup(
  lines: readonly CarrierLine[],
  calls: readonly OwnCall[],
  toleranceMs: number,
): Generator<undefined, Map<CarrierLine, OwnCall>, undefined> {
  if (lines.length === 0 || calls.length === 0) return new Map()
  const sortedLines = [...lines].sort((left, right) => left.at - right.at || left.line - right.line)
  const sortedCalls = [...calls].sort(
    (left, right) => left.startedAt - right.startedAt || compareText(left.callId, right.callId),
  )
  const pairs = yield* pairsOf(sortedLines, sortedCalls, toleranceMs)
  return pairs ? takeNearest(pairs) : yield* matchInOrder(sortedLines, sortedCalls, toleranceMs)
}

/** Null if too many calls are close to each other, such as a test that calls one number all the time. */
function* pairsOf(
  lines: readonly CarrierLine[],
  calls: readonly OwnCall[],
  toleranceMs: number,
): Generator<undefined, Pair[] | null, undefined> {
  const longestRing = calls.reduce((most, each) => Math.max(most, each.answeredAt - each.startedAt), 0)
  const max = Math.min(MAX_PAIRS, MAX_PAIRS_PER_CALL * (lines.length + calls.length))
  const pairs: Pair[] = []
  let first = 0
  let seen = 0
  for (const line of lines) {
    while ((calls[first]?.startedAt ?? Infinity) < line.at - toleranceMs - longestRing) first++
    for (let index = first; index < calls.length; index++) {
      const call = calls[index] as OwnCall
      if (call.startedAt > line.at + toleranceMs) break
      if (++seen > max) return null
      if (seen % PAIRS_PER_STEP === 0) yield
      if (line.at <= call.answeredAt + toleranceMs) pairs.push(pairOf(line, call))
    }
  }
  return pairs
}

const pairOf = (line: CarrierLine, call: OwnCall): Pair => ({
  line,
  call,
  distance: Math.floor(
    Math.min(Math.abs(line.at - call.startedAt), Math.abs(line.at - call.answeredAt)) / 1_000,
  ),
  seconds: Math.abs(line.seconds - call.seconds),
})

function takeNearest(pairs: Pair[]): Map<CarrierLine, OwnCall> {
  pairs.sort(
    (left, right) =>
      left.distance - right.distance ||
      left.seconds - right.seconds ||
      left.line.line - right.line.line ||
      left.call.startedAt - right.call.startedAt ||
      compareText(left.call.callId, right.call.callId),
  )
  const matched = new Map<CarrierLine, OwnCall>()
  const taken = new Set<OwnCall>()
  for (const { line, call } of pairs) {
    if (matched.has(line) || taken.has(call)) continue
    matched.set(line, call)
    taken.add(call)
  }
  return matched
}

/** In order of time: first lines and calls of the same duration, then the others. Takes linear time. */
function* matchInOrder(
  lines: readonly CarrierLine[],
  calls: readonly OwnCall[],
  toleranceMs: number,
): Generator<undefined, Map<CarrierLine, OwnCall>, undefined> {
  const matched = new Map<CarrierLine, OwnCall>()
  const taken = new Set<OwnCall>()
  for (const queueOf of [({ seconds }: { seconds: number }) => seconds, () => 0]) {
    const queues = new Map<number, OwnCall[]>()
    for (const call of calls) {
      if (taken.has(call)) continue
      const queue = queues.get(queueOf(call))
      if (queue) queue.push(call)
      else queues.set(queueOf(call), [call])
    }
    yield
    const next = new Map<number, number>()
    for (const line of lines) {
      if (matched.has(line)) continue
      const key = queueOf(line)
      const queue = queues.get(key) ?? []
      let at = next.get(key) ?? 0
      while (at < queue.length && (queue[at] as OwnCall).answeredAt + toleranceMs < line.at) at++
      const call = queue[at]
      if (call && call.startedAt - toleranceMs <= line.at) {
        matched.set(line, call)
        taken.add(call)
        at++
      }
      next.set(key, at)
    }
    yield
  }
  return matched
}

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
