import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

/** Calls that end are looked for by themselves; this is for what happened elsewhere, and for the clock going on. */
const RELOOK_MS = 60_000

export const statsQuery = queryOptions({
  queryKey: ['dashboard', 'stats'],
  queryFn: async ({ signal }) => (await api('GET /api/dashboard/stats', { signal })).stats,
  refetchInterval: RELOOK_MS,
})

export const chartsQuery = queryOptions({
  queryKey: ['dashboard', 'charts'],
  queryFn: async ({ signal }) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    return (await api('GET /api/dashboard/charts', { query: { timezone: timeZone }, signal })).charts
  },
  refetchInterval: RELOOK_MS,
})
