import type { PrefixRate } from '../rating/index.ts'
import type { DeckLine } from './read-deck.ts'

export const changeKinds = ['new', 'dearer', 'cheaper', 'changed', 'removed', 'unchanged'] as const
/** `changed`: same price, but a different fee or different increments. */
export type ChangeKind = (typeof changeKinds)[number]

export type RateChange = {
  readonly kind: ChangeKind
  readonly prefix: string
  /** Line in the deck. Null if the deck does not contain the prefix. */
  readonly line: number | null
  readonly before: PrefixRate | null
  readonly after: PrefixRate | null
}

export type Comparison = {
  /** Prefixes that are missing in the deck are removed with `replace` and kept with `merge`. */
  readonly mode: 'replace' | 'merge'
  readonly present: ReadonlyMap<string, PrefixRate>
  readonly lines: readonly DeckLine[]
  /** Prefixes of invalid lines. Their present rates stay unchanged. */
  readonly untouched: ReadonlySet<string>
}

/** Compares a deck with the present rates. Returns one change for each prefix of either side. */
export function compareDeck({ mode, present, lines, untouched }: Comparison): RateChange[] {
  const named = new Set<string>()
  const changes = lines.map((line): RateChange => {
    const { line: number, ...after } = line
    const before = present.get(line.prefix) ?? null
    named.add(line.prefix)
    return { kind: kindOf(before, after), prefix: line.prefix, line: number, before, after }
  })
  for (const before of present.values()) {
    if (named.has(before.prefix)) continue
    const isRemoved = mode === 'replace' && !untouched.has(before.prefix)
    changes.push({
      kind: isRemoved ? 'removed' : 'unchanged',
      prefix: before.prefix,
      line: null,
      before,
      after: isRemoved ? null : before,
    })
  }
  return changes
}

function kindOf(before: PrefixRate | null, after: PrefixRate): ChangeKind {
  if (!before) return 'new'
  if (after.priceMicros !== before.priceMicros)
    return after.priceMicros > before.priceMicros ? 'dearer' : 'cheaper'
  const isSame =
    after.connectFeeMicros === before.connectFeeMicros &&
    after.firstIncrement === before.firstIncrement &&
    after.nextIncrement === before.nextIncrement
  return isSame ? 'unchanged' : 'changed'
}
