import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CdrDetails, CdrRecord } from '@trunkline/contract/cdr'
import { LIVE_CALLS_POLL_MS } from '@trunkline/contract/limits'
import { viewersZone } from '../../format/viewer.ts'
import { filtersOf, type Selection } from './search.ts'
import type { CallSource } from './source.ts'

/**
 * The key holds the period and not its dates, so that `today` always means the current day. Only the first page is polled,
 * because new calls appear there.
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

/** Records never change. */
export const detailsQuery = (source: CallSource, id: string) =>
  queryOptions({
    queryKey: ['cdr', source.name, 'details', id],
    queryFn: ({ signal }) => source.details(id, viewersZone(), signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The last steps are stored a few seconds after the end of the call. */
const SETTLED_MS = 15_000
const POLL_MS = 3_000

export const flowQuery = (
  source: CallSource,
  { id, ended_at: endedAt }: Pick<CdrDetails, 'id' | 'ended_at'>,
) =>
  queryOptions({
    queryKey: ['cdr', source.name, 'flow', id],
    queryFn: ({ signal }) => source.flow(id, signal),
    refetchInterval: ({ state }) =>
      state.data?.end === null && Date.now() - Date.parse(endedAt) < SETTLED_MS && POLL_MS,
  })

export const soundsKey = (source: Pick<CallSource, 'name'>) => ['cdr', source.name, 'sounds'] as const

/** Recordings and messages of a call. They can be deleted. */
export const soundsQuery = (source: CallSource, id: string) =>
  queryOptions({
    queryKey: [...soundsKey(source), id],
    queryFn: ({ signal }) => source.recordings.ofCall(id, signal),
  })

/** The waveform of a recording never changes. */
export const peaksQuery = (source: CallSource, recording: number) =>
  queryOptions({
    queryKey: ['cdr', source.name, 'peaks', recording],
    queryFn: ({ signal }) => source.recordings.peaks(recording, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
