import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { USER_REFRESH_MS } from '@trunkline/contract/limits'
import { api } from '../../app/api.ts'
import { viewersZone } from '../../common/format/viewer.ts'
import type { Days } from './search.ts'

const RECENT = 6

export const recentPaymentsQuery = queryOptions({
  queryKey: ['admin', 'payments', 'recent'],
  queryFn: async ({ signal }) =>
    (await api('GET /api/admin/payments', { query: { limit: RECENT }, signal })).payments,
  refetchInterval: USER_REFRESH_MS,
  refetchOnWindowFocus: 'always',
})

export const BUSINESS_KEY = ['admin', 'business'] as const

/** Ended calls trigger a refresh; this covers the passing of time. */
const RELOOK_MS = 60_000

export const businessQuery = (days: Days) =>
  queryOptions({
    queryKey: [...BUSINESS_KEY, days],
    queryFn: async ({ signal }) =>
      (await api('GET /api/admin/dashboard/business', { query: { days, timezone: viewersZone() }, signal }))
        .business,
    placeholderData: keepPreviousData,
    refetchInterval: RELOOK_MS,
  })

export const todayQuery = queryOptions({
  queryKey: [...BUSINESS_KEY, 'today'],
  queryFn: async ({ signal }) =>
    (await api('GET /api/admin/dashboard/today', { query: { timezone: viewersZone() }, signal })).today,
  refetchInterval: RELOOK_MS,
})

/** Current state of the trunks. */
export const trunksQuery = queryOptions({
  queryKey: ['admin', 'trunks', 'health'],
  queryFn: async ({ signal }) => (await api('GET /api/trunks', { signal })).trunks,
  refetchInterval: RELOOK_MS,
})
