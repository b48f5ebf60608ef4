import { costOf } from '@trunkline/domain/rating'
import {
  asrOf,
  chooseTrunks,
  drawOf,
  judgeTrunk,
  QUARTER,
  type QuarterCount,
  type Route,
  type RoutingRule,
  startOfQuarter,
  type Trunk,
  type TrunkQuality,
} from '@trunkline/domain/routing'
import { HOUR } from '../../../platform/clock.ts'
import type { AttemptCounts } from '../trunk-quality/store.ts'
import type { PastCall } from './store.ts'

type Sum = { calls: number; costMicros: bigint }
type TrunkSums = { before: Sum; after: Sum }

export type Replay = {
  leftOut: number
  compared: number
  answered: number
  revenueMicros: bigint
  firstAnswered: number
  /** Sum of the probabilities that the first trunk answers, over calls with figures. */
  expected: number
  unknown: number
  trunks: Map<number, TrunkSums>
}

type Past = {
  calls: readonly PastCall[]
  routes: ReadonlyMap<number, Pick<Route, 'planId' | 'sellsBelowCost'>>
  trunks: readonly Trunk[]
  rule: RoutingRule
  counts: AttemptCounts
  demotions: Demotions
}

const STEP = 250

/**
 * Chooses trunks again for past calls. A call that begins on the same trunk stays as it was. Otherwise its first trunk carries it: duration,
 * price and answer stay as they were, and all trunks have free channels. Yields between steps.
 */
export function* replay(past: Past): Generator<undefined, Replay, undefined> {
  const { calls, routes, trunks, rule, counts, demotions } = past
  const asrAt = createAsr(counts)
  const sums: Replay = {
    leftOut: 0,
    compared: 0,
    answered: 0,
    revenueMicros: 0n,
    firstAnswered: 0,
    expected: 0,
    unknown: 0,
    trunks: new Map(),
  }
  const add = (side: keyof TrunkSums, trunkId: number, count: number, costMicros: bigint) => {
    const of = sums.trunks.get(trunkId) ?? { before: nothing(), after: nothing() }
    sums.trunks.set(trunkId, of)
    of[side].calls += count
    of[side].costMicros += costMicros
  }
  for (const [at, call] of calls.entries()) {
    if (at % STEP === 0) yield
    const route = routes.get(call.routeId)
    const demoted = demotions.at(call.startedAt)
    const [first] = route
      ? chooseTrunks({
          route,
          rate: call.rate,
          e164: call.destination,
          country: call.country,
          trunks,
          usedOf: () => 0,
          routing: { rule, demoted, draw: drawOf(call.callId) },
        }).chosen
      : []
    if (!first) {
      sums.leftOut++
      continue
    }
    sums.compared++
    sums.revenueMicros += call.costMicros
    if (call.isAnswered) sums.answered++
    const isFirstAnswered = call.isAnswered && call.trunkId === call.firstTrunkId
    if (isFirstAnswered) sums.firstAnswered++
    const stay = (side: keyof TrunkSums) => {
      add(side, call.firstTrunkId, 1, 0n)
      if (call.trunkId !== null) add(side, call.trunkId, 0, call.buyMicros)
    }
    stay('before')
    if (first.trunk.id === call.firstTrunkId) {
      stay('after')
      if (isFirstAnswered) sums.expected++
      continue
    }
    add('after', first.trunk.id, 1, call.isAnswered ? costOf(first.buyRate, call.seconds) : 0n)
    const asr = asrAt(first.trunk.id, call.startedAt)
    if (asr === null) sums.unknown++
    else sums.expected += asr / 100
  }
  return sums
}

const nothing = (): Sum => ({ calls: 0, costMicros: 0n })

/** The ASR of a trunk in the hour, or in the whole period if it had no attempts in this hour; null without any attempt. */
function createAsr(counts: AttemptCounts): (trunkId: number, at: number) => number | null {
  const hours = new Map<string, { calls: number; answered: number }>()
  const whole = new Map<number, { calls: number; answered: number }>()
  for (const [trunkId, quarters] of counts)
    for (const one of quarters) {
      addTo(hours, `${trunkId} ${Math.floor(one.quarter / HOUR)}`, one)
      addTo(whole, trunkId, one)
    }
  return (trunkId, at) => {
    const sum = hours.get(`${trunkId} ${Math.floor(at / HOUR)}`) ?? whole.get(trunkId)
    return sum && sum.calls > 0 ? asrOf(sum) : null
  }
}

function addTo<Key>(
  sums: Map<Key, { calls: number; answered: number }>,
  key: Key,
  { calls, answered }: QuarterCount,
): void {
  const sum = sums.get(key) ?? { calls: 0, answered: 0 }
  sums.set(key, { calls: sum.calls + calls, answered: sum.answered + answered })
}

export type Demotions = {
  at(moment: number): ReadonlySet<number>
  minutesOf(trunkId: number): number
}

/** Applies the threshold of the rule to the measured attempts, at the end of each quarter of an hour. */
export function demotionsIn(
  { quality }: RoutingRule,
  trunkIds: readonly number[],
  counts: AttemptCounts,
  { from, to }: { from: Date; to: Date },
): Demotions {
  const byQuarter = new Map<number, Set<number>>()
  const quarters = new Map<number, number>()
  const none: ReadonlySet<number> = new Set()
  if (quality)
    for (const id of trunkIds) {
      const all = counts.get(id) ?? []
      const seen: QuarterCount[] = []
      let next = 0
      let state: TrunkQuality | null = null
      for (let at = startOfQuarter(from.getTime()); at < to.getTime(); at += QUARTER) {
        for (; next < all.length && (all[next]?.quarter ?? at) < at; next++)
          seen.push(all[next] as QuarterCount)
        state = judgeTrunk(quality, state, seen, at)
        if (state.demotedSince === null) continue
        byQuarter.set(at, (byQuarter.get(at) ?? new Set()).add(id))
        quarters.set(id, (quarters.get(id) ?? 0) + 1)
      }
    }
  return {
    at: (moment) => byQuarter.get(startOfQuarter(moment)) ?? none,
    minutesOf: (id) => ((quarters.get(id) ?? 0) * QUARTER) / 60_000,
  }
}
