import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ShownPrices } from '@trunkline/contract/bulk-pricing'
import { BULK_TIMEOUT_MS } from '@trunkline/contract/limits'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { cursorPages } from '../../common/cursor-pages.ts'
import { refreshCatalogue } from '../trunks/queries.ts'
import type { Rule } from './rule-form.ts'

const KEY = ['admin', 'bulk-pricing']

/** Each answer is a preview that the server stores. Earlier ones are deleted, so none is kept here. */
export const previewQuery = (rule: Rule) =>
  queryOptions({
    queryKey: [...KEY, 'preview', rule],
    queryFn: ({ signal }) =>
      api('POST /api/admin/bulk-pricing/preview', { body: rule, signal, timeoutMs: BULK_TIMEOUT_MS }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

/** The rows of a change never differ, except after an undo. */
export const rowsQuery = (id: number, show: ShownPrices, after: number | undefined) =>
  queryOptions({
    queryKey: [...KEY, 'rows', id, show, after ?? 0],
    queryFn: ({ signal }) =>
      api('GET /api/admin/bulk-pricing/:id/rows', {
        params: { id },
        query: { show, ...(after !== undefined && { after }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const historyQuery = infiniteQueryOptions({
  queryKey: [...KEY, 'history'],
  queryFn: ({ signal, pageParam }) =>
    api('GET /api/admin/bulk-pricing', {
      query: pageParam === null ? {} : { before: pageParam },
      signal,
    }),
  ...cursorPages,
  refetchOnWindowFocus: 'always',
})

/** Prices, previews and history after a change. */
export const rereadPrices = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: KEY }), refreshCatalogue()])
