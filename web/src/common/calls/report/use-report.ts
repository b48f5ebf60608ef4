import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CdrRecord } from '@trunkline/contract/cdr'
import { useEffect } from 'react'
import { usePagination } from '../../use-pagination.ts'
import { useAfterCalls } from '../use-after-calls.ts'
import { pageQuery, totalsQuery } from './queries.ts'
import { type CdrSearch, type Selection, selectionOf } from './search.ts'
import type { CallSource } from './source.ts'

const LEAST_PAUSE_MS = 2_000

/** The current page and its position in the list. */
export function useReport<Call extends CdrRecord>(source: CallSource<Call>, search: CdrSearch) {
  const selection = selectionOf(search)
  const page = useQuery(pageQuery(source, selection, search.cursor))
  // New calls appear on the first page.
  useAfterCalls(source.live, LEAST_PAUSE_MS, () => {
    if (search.cursor === undefined) void page.refetch()
  })
  const pagination = usePagination(selection, search.cursor, page.isPlaceholderData ? null : page.data?.next)
  useFreshTotals(
    source,
    selection,
    search.cursor === undefined && !page.isPlaceholderData ? page.data : undefined,
  )
  return { selection, page, pagination }
}

/** Refetches the totals when the first page changes. */
function useFreshTotals(source: CallSource, selection: Selection, firstPage: unknown): void {
  const client = useQueryClient()
  const { queryKey } = totalsQuery(source, selection)
  const name = JSON.stringify(queryKey)
  // Structural sharing keeps the object of an unchanged response.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the serialized key changes exactly when the key does
  useEffect(() => {
    if (firstPage) void client.invalidateQueries({ queryKey })
  }, [client, name, firstPage])
}
