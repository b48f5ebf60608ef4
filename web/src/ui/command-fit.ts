import type { LucideIcon } from 'lucide-react'

export type CommandItem = {
  /** Where labels alone do not tell them apart. */
  id?: string | undefined
  label: string
  icon: LucideIcon
  /** Further words one might search for it by. */
  keywords?: readonly string[] | undefined
  /** Whatever is typed, this fits, after all that fits better. */
  fitsAll?: boolean | undefined
  /** What it would change, or where it leads. */
  hint?: string | undefined
  onSelect: () => void
}
export type CommandGroup = { heading: string; items: readonly CommandItem[] }

/** What fits the typed words, best first; without any, everything as it came. */
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

/** As well as its worst word: each must be found somewhere. */
function fitOf({ label, keywords = [], fitsAll }: CommandItem, words: string[]): number {
  // What fits everything comes after all that was meant, though it may repeat what was typed.
  if (fitsAll) return 1
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
