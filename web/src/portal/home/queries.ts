import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { viewersZone } from '../../common/format/viewer.ts'

/** Ended calls trigger a refetch. The interval covers other changes. */
const RELOOK_MS = 60_000

export const statsQuery = queryOptions({
  queryKey: ['dashboard', 'stats'],
  queryFn: async ({ signal }) => (await api('GET /api/dashboard/stats', { signal })).stats,
  refetchInterval: RELOOK_MS,
})

export const chartsQuery = queryOptions({
  queryKey: ['dashboard', 'charts'],
  queryFn: async ({ signal }) =>
    (await api('GET /api/dashboard/charts', { query: { timezone: viewersZone() }, signal })).charts,
  refetchInterval: RELOOK_MS,
})

export const usageQuery = queryOptions({
  queryKey: ['dashboard', 'usage'],
  queryFn: async ({ signal }) =>
    (await api('GET /api/dashboard/usage', { query: { timezone: viewersZone() }, signal })).usage,
  refetchInterval: RELOOK_MS,
})

const DAY_MS = 86_400_000
const MISSED_SHOWN = 3

/** The newest missed calls of the last 24 hours. */
export const missedQuery = queryOptions({
  queryKey: ['dashboard', 'missed'],
  queryFn: async ({ signal }) => {
    const from = new Date(Date.now() - DAY_MS).toISOString()
    const query = { missed: 'true' as const, from, limit: MISSED_SHOWN, timezone: viewersZone() }
    return (await api('GET /api/cdr', { query, signal })).records
  },
  refetchInterval: RELOOK_MS,
})

export const callerIdQuery = queryOptions({
  queryKey: ['caller-id'],
  queryFn: ({ signal }) => api('GET /api/user/callerid', { signal }),
})
