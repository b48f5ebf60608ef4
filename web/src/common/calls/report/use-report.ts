import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CdrRecord } from '@trunkline/contract/cdr'
import { useEffect } from 'react'
import { usePlaces } from '../../use-places.ts'
import { useAfterCalls } from '../use-after-calls.ts'
import { pageQuery, totalsQuery } from './queries.ts'
import { type CdrSearch, type Selection, selectionOf } from './search.ts'
import type { CallSource } from './source.ts'

const LEAST_PAUSE_MS = 2_000

/** The page of calls that an address asks for, and where it stands among the others. */
export function useReport<Call extends CdrRecord>(source: CallSource<Call>, search: CdrSearch) {
  const selection = selectionOf(search)
  const page = useQuery(pageQuery(source, selection, search.cursor))
  // New calls appear on the first page.
  useAfterCalls(source.live, LEAST_PAUSE_MS, () => {
    if (search.cursor === undefined) void page.refetch()
  })
  const places = usePlaces(selection, search.cursor, page.isPlaceholderData ? null : page.data?.next)
  useFreshTotals(
    source,
    selection,
    search.cursor === undefined && !page.isPlaceholderData ? page.data : undefined,
  )
  return { selection, page, places }
}

/** New calls on the first page are new figures above it. */
function useFreshTotals(source: CallSource, selection: Selection, firstPage: unknown): void {
  const client = useQueryClient()
  const { queryKey } = totalsQuery(source, selection)
  const name = JSON.stringify(queryKey)
  // The cache keeps an answer that says the same as the one before, so this runs when something has changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the same while its name is
  useEffect(() => {
    if (firstPage) void client.invalidateQueries({ queryKey })
  }, [client, name, firstPage])
}
