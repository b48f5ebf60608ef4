import type { DeckCheck, DeckCounts } from '@trunkline/contract/rate-decks'
import {
  type ChangeKind,
  changeKinds,
  compareDeck,
  type DeckLine,
  type RateChange,
} from '@trunkline/domain/decks'
import type { PrefixRate } from '@trunkline/domain/rating'
import { viewPrefixRate } from '../prefix-rates/wire.ts'

export type Mode = 'replace' | 'merge'

/** The lines of a deck, and the prefixes whose rates stay unchanged because their line is invalid. */
export type DeckRates = { mode: Mode; lines: readonly DeckLine[]; untouched: readonly string[] }

export const changesOf = (
  { mode, lines, untouched }: DeckRates,
  present: readonly PrefixRate[],
): RateChange[] =>
  compareDeck({
    mode,
    present: new Map(present.map((rate) => [rate.prefix, rate])),
    lines,
    untouched: new Set(untouched),
  })

export function countsOf(changes: readonly RateChange[]): DeckCounts {
  const counts = { new: 0, dearer: 0, cheaper: 0, changed: 0, removed: 0, unchanged: 0 }
  for (const { kind } of changes) counts[kind]++
  return counts
}

/** Limit per kind of change, and for invalid lines. */
export const MAX_SHOWN = 500

/** Price changes by size, others by prefix. */
export function viewChanges(changes: readonly RateChange[], search: string): DeckCheck['changes'] {
  const byPrefix = (left: RateChange, right: RateChange) => (left.prefix < right.prefix ? -1 : 1)
  const byDifference = (left: RateChange, right: RateChange) =>
    Number(differenceOf(right) - differenceOf(left)) || byPrefix(left, right)
  const isPriced = (kind: ChangeKind) => kind === 'dearer' || kind === 'cheaper'
  return changeKinds.flatMap((kind) =>
    changes
      .filter((change) => change.kind === kind && change.prefix.startsWith(search))
      .sort(isPriced(kind) ? byDifference : byPrefix)
      .slice(0, MAX_SHOWN)
      .map(viewChange),
  )
}

const differenceOf = ({ before, after }: RateChange): bigint => {
  const difference = (after?.priceMicros ?? 0n) - (before?.priceMicros ?? 0n)
  return difference < 0n ? -difference : difference
}

const viewChange = ({ kind, prefix, line, before, after }: RateChange) => ({
  kind,
  prefix,
  line,
  before: before && viewPrefixRate(before),
  after: after && viewPrefixRate(after),
})
