/** Entries by prefix. A search needs one lookup per prefix length, regardless of the number of entries. */
export type PrefixIndex<Entry extends { readonly prefix: string }> = {
  readonly byPrefix: ReadonlyMap<string, Entry>
  /** Prefix lengths that occur, longest first. */
  readonly lengths: readonly number[]
}

export function createPrefixIndex<Entry extends { readonly prefix: string }>(
  entries: Iterable<Entry>,
): PrefixIndex<Entry> {
  const byPrefix = new Map<string, Entry>()
  for (const entry of entries) byPrefix.set(entry.prefix, entry)
  const lengths = [...new Set([...byPrefix.keys()].map((prefix) => prefix.length))]
  return { byPrefix, lengths: lengths.sort((left, right) => right - left) }
}

export function longestPrefix<Entry extends { readonly prefix: string }>(
  index: PrefixIndex<Entry>,
  e164: string,
): Entry | null {
  for (const length of index.lengths) {
    const entry = length <= e164.length ? index.byPrefix.get(e164.slice(0, length)) : undefined
    if (entry) return entry
  }
  return null
}
