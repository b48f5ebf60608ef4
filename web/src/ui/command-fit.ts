import type { LucideIcon } from 'lucide-react'

export type CommandItem = {
  /** Required if labels are not unique. */
  id?: string | undefined
  label: string
  icon: LucideIcon
  /** More search terms. */
  keywords?: readonly string[] | undefined
  /** Matches any search, after all other matches. */
  fitsAll?: boolean | undefined
  /** A result of a search that the server has done, so it always matches. */
  isFound?: boolean | undefined
  /** Shown next to the label. */
  hint?: string | undefined
  onSelect: () => void
}
export type CommandGroup = { heading: string; items: readonly CommandItem[] }

/** Matching items, best first; all items without a search. */
export function fittingGroups(groups: readonly CommandGroup[], search: string): CommandGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return groups.filter(({ items }) => items.length > 0)
  return groups
    .map(({ heading, items }) => {
      const fitting = items
        .map((item) => ({ item, fit: fitOf(item, words) }))
        .filter(({ fit }) => fit > 0)
        .sort((one, other) => other.fit - one.fit)
      return { heading, items: fitting.map(({ item }) => item), best: fitting[0]?.fit ?? 0 }
    })
    .filter(({ best }) => best > 0)
    .sort((one, other) => other.best - one.best)
}

/** After commands whose label has a word that begins with the search. */
const FOUND = 3

/** The score of the worst word. Every word must match. */
function fitOf({ label, keywords = [], fitsAll, isFound }: CommandItem, words: string[]): number {
  // Items that match everything come last, even if their label repeats the search.
  if (fitsAll) return 1
  if (isFound) return FOUND
  const name = label.toLowerCase()
  const joined = name.replaceAll(' ', '')
  const further = keywords.join(' ').toLowerCase()
  const fits = words.map((word) => {
    if (` ${name}`.includes(` ${word}`)) return 4
    if (name.includes(word) || joined.includes(word)) return 3
    return further.includes(word) ? 2 : 0
  })
  return Math.min(...fits)
}
