import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { LIVE_CALLS_POLL_MS } from '@trunkline/contract/limits'
import { api } from '../../app/api.ts'
import { viewersZone } from './period.ts'
import { filtersOf, type Selection } from './search.ts'

/**
 * Keyed by what was chosen, not by its moments: `today` is asked for anew each time, with the moments it has then. The
 * first page is where new calls appear, so it alone is read again by itself.
 */
export const pageQuery = (selection: Selection, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['cdr', 'page', selection, cursor ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/cdr', {
        query: {
          ...filtersOf(selection, new Date()),
          timezone: viewersZone(),
          ...(cursor !== undefined && { cursor }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: cursor === undefined && LIVE_CALLS_POLL_MS,
    refetchOnWindowFocus: cursor === undefined && 'always',
  })

export const totalsQuery = (selection: Selection) =>
  queryOptions({
    queryKey: ['cdr', 'totals', selection],
    queryFn: async ({ signal }) =>
      (await api('GET /api/cdr/totals', { query: filtersOf(selection, new Date()), signal })).totals,
    placeholderData: keepPreviousData,
  })

/** A record is written once and never changes. */
export const detailsQuery = (id: string) =>
  queryOptions({
    queryKey: ['cdr', 'details', id],
    queryFn: async ({ signal }) =>
      (await api('GET /api/cdr/:id', { params: { id }, query: { timezone: viewersZone() }, signal })).record,
    staleTime: Number.POSITIVE_INFINITY,
  })
