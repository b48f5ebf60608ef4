import { queryOptions } from '@tanstack/react-query'
import { USER_REFRESH_MS } from '@trunkline/contract/limits'
import { api } from '../app/api.ts'

const keptFresh = { refetchInterval: USER_REFRESH_MS, refetchOnWindowFocus: 'always' } as const

/** Prefix of all alert queries, to invalidate them together. */
export const ALERTS_KEY = ['admin', 'alerts'] as const

export const openAlertsQuery = queryOptions({
  queryKey: [...ALERTS_KEY, 'open-count'],
  queryFn: async ({ signal }) =>
    (await api('GET /api/admin/alerts', { query: { state: 'open', limit: 1 }, signal })).open,
  ...keptFresh,
})

const SUMMARY_KEY = ['admin', 'summary'] as const

export const totalPaymentsQuery = queryOptions({
  queryKey: [...SUMMARY_KEY, 'total-payments'],
  queryFn: async ({ signal }) => (await api('GET /api/total-payments', { signal })).total_credit,
  ...keptFresh,
})

export const successfulPaymentsQuery = queryOptions({
  queryKey: [...SUMMARY_KEY, 'successful-payments'],
  queryFn: async ({ signal }) => (await api('GET /api/successful-payments', { signal })).count,
  ...keptFresh,
})

export const userStatsQuery = queryOptions({
  queryKey: [...SUMMARY_KEY, 'user-stats'],
  queryFn: ({ signal }) => api('GET /api/user-stats', { signal }),
  ...keptFresh,
})

export const websiteIpQuery = queryOptions({
  queryKey: ['admin', 'website-ip'],
  queryFn: async ({ signal }) => (await api('GET /api/admin/websiteip', { signal })).websiteip,
})
