import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CdrRecord } from '@trunkline/contract/cdr'
import { LIVE_CALLS_POLL_MS } from '@trunkline/contract/limits'
import { viewersZone } from '../../period.ts'
import { filtersOf, type Selection } from './search.ts'
import type { CallSource } from './source.ts'

/**
 * Keyed by what was chosen, not by its moments: `today` is asked for anew each time, with the moments it has then. The
 * first page is where new calls appear, so it alone is read again by itself.
 */
export const pageQuery = <Call extends CdrRecord>(
  source: CallSource<Call>,
  selection: Selection,
  cursor: string | undefined,
) =>
  queryOptions({
    queryKey: ['cdr', source.name, 'page', selection, cursor ?? null],
    queryFn: ({ signal }) =>
      source.page(
        {
          ...filtersOf(selection, new Date()),
          timezone: viewersZone(),
          ...(cursor !== undefined && { cursor }),
        },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: cursor === undefined && LIVE_CALLS_POLL_MS,
    refetchOnWindowFocus: cursor === undefined && 'always',
  })

export const totalsQuery = (source: CallSource, selection: Selection) =>
  queryOptions({
    queryKey: ['cdr', source.name, 'totals', selection],
    queryFn: ({ signal }) => source.totals(filtersOf(selection, new Date()), signal),
    placeholderData: keepPreviousData,
  })

/** A record is written once and never changes. */
export const detailsQuery = (source: CallSource, id: string) =>
  queryOptions({
    queryKey: ['cdr', source.name, 'details', id],
    queryFn: ({ signal }) => source.details(id, viewersZone(), signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
