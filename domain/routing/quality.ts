/** When a trunk is demoted for its ASR (answered attempts), and when it returns. */
export type Quality = {
  /** Percent. */
  readonly minAsr: number
  readonly minCalls: number
  readonly windowMinutes: number
  readonly restMinutes: number
}

/** Attempts that began in a quarter of an hour. Counts only grow. */
export type QuarterCount = { readonly quarter: number; readonly calls: number; readonly answered: number }

type Counted = { readonly calls: number; readonly answered: number }

export type TrunkQuality = {
  readonly demotedSince: number | null
  readonly returnsAt: number | null
  /** As seen by the last judgment. While demoted: since the demotion, or since the rest was extended. */
  readonly seen: Counted
  /** What demoted the trunk. */
  readonly cause: Counted | null
  /** The count of the current quarter at the last change. Attempts before it do not count again. */
  readonly mark: QuarterCount | null
}

const MINUTE = 60_000
export const QUARTER = 15 * MINUTE
/** A trunk returns early only with an ASR this far above the threshold, in points. */
export const RETURN_MARGIN = 5
/** So many bad trial calls extend the rest. */
const MAX_TRIAL_CALLS = 5

export const startOfQuarter = (at: number): number => Math.floor(at / QUARTER) * QUARTER

export const asrOf = ({ calls, answered }: Counted): number => (calls === 0 ? 0 : (answered / calls) * 100)

const unjudged: TrunkQuality = {
  demotedSince: null,
  returnsAt: null,
  seen: { calls: 0, answered: 0 },
  cause: null,
  mark: null,
}

/**
 * The next state of a trunk. It is demoted with enough calls below the threshold. It returns when as many calls are clearly above the
 * threshold, or when its rest is over, unless the trial calls are still below the threshold.
 */
export function judgeTrunk(
  { minAsr, minCalls, windowMinutes, restMinutes }: Quality,
  before: TrunkQuality | null,
  counts: readonly QuarterCount[],
  now: number,
): TrunkQuality {
  const state = before ?? unjudged
  const returnsAt = now + restMinutes * MINUTE
  if (state.demotedSince === null) {
    const seen = countSince(counts, startOfQuarter(now - windowMinutes * MINUTE), state.mark)
    if (seen.calls < minCalls || asrOf(seen) >= minAsr) return { ...state, seen }
    return { demotedSince: now, returnsAt, seen, cause: seen, mark: markAt(counts, now) }
  }
  const seen = countSince(counts, 0, state.mark)
  const isWell = seen.calls >= minCalls && asrOf(seen) >= Math.min(100, minAsr + RETURN_MARGIN)
  const isRested = now >= (state.returnsAt ?? 0)
  if (!isWell && !isRested) return { ...state, seen }
  const isStillBad = seen.calls >= Math.min(minCalls, MAX_TRIAL_CALLS) && asrOf(seen) < minAsr
  if (isStillBad) return { ...state, seen, returnsAt, mark: markAt(counts, now) }
  return { demotedSince: null, returnsAt: null, seen, cause: null, mark: markAt(counts, now) }
}

/** A trunk that somebody returned to its place. Attempts until now do not count again. */
export const returnedTrunk = (counts: readonly QuarterCount[], now: number): TrunkQuality => ({
  ...unjudged,
  mark: markAt(counts, now),
})

const markAt = (counts: readonly QuarterCount[], now: number): QuarterCount => {
  const quarter = startOfQuarter(now)
  return counts.find((one) => one.quarter === quarter) ?? { quarter, calls: 0, answered: 0 }
}

function countSince(counts: readonly QuarterCount[], from: number, mark: QuarterCount | null): Counted {
  const begins = Math.max(from, mark?.quarter ?? 0)
  const sum = { calls: 0, answered: 0 }
  for (const { quarter, calls, answered } of counts) {
    if (quarter < begins) continue
    sum.calls += calls - (quarter === mark?.quarter ? mark.calls : 0)
    sum.answered += answered - (quarter === mark?.quarter ? mark.answered : 0)
  }
  return sum
}
