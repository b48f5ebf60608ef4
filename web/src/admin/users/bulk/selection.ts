import type { AnswerOf, RequestOf } from '@trunkline/contract'
import { useState } from 'react'
import type { Selection } from '../search.ts'

export type BulkUsers = RequestOf<'POST /api/admin/bulk-actions'>['body']['users']

export type Preview = AnswerOf<'POST /api/admin/bulk-actions'>

/** Chosen rows, or all users who match the filters. */
export type Chosen = { ids: ReadonlySet<number>; all: number | null }

const NONE: Chosen = { ids: new Set(), all: null }

/** The choice of rows. It survives a change of page and ends with a change of the filters. */
export function useChosen(selection: Selection) {
  const { sort: _sort, ...filter } = selection
  const key = JSON.stringify(filter)
  const [kept, keep] = useState({ key, chosen: NONE })
  const chosen = kept.key === key ? kept.chosen : NONE
  const set = (next: Chosen) => keep({ key, chosen: next })
  const count = chosen.all ?? chosen.ids.size
  return {
    count,
    isAll: chosen.all !== null,
    users: (chosen.all === null ? { ids: [...chosen.ids] } : { filter }) satisfies BulkUsers,
    filter,
    has: (id: number) => chosen.all !== null || chosen.ids.has(id),
    /** Users of the page; unticking one ends the choice of all. */
    toggle: (ids: readonly number[], isChosen: boolean, page: readonly number[]) => {
      const next = new Set(chosen.all === null ? chosen.ids : page)
      for (const id of ids) isChosen ? next.add(id) : next.delete(id)
      set({ ids: next, all: null })
    },
    chooseAll: (count: number) => set({ ids: chosen.ids, all: count }),
    clear: () => set(NONE),
  }
}
export type ChosenUsers = ReturnType<typeof useChosen>
