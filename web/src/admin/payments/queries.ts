import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { USER_REFRESH_MS } from '@trunkline/contract/limits'
import { api } from '../../app/api.ts'
import { viewersZone } from '../../common/format/viewer.ts'
import { filtersOf, type PaymentsSearch, type Selection } from './search.ts'

/** Only the first page refreshes, because new payments appear there. */
export const pageQuery = (selection: Selection, before: number | undefined) =>
  queryOptions({
    queryKey: ['admin', 'payments', 'page', selection, before ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/admin/payments', {
        query: { ...filtersOf(selection), ...(before !== undefined && { before }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: before === undefined && USER_REFRESH_MS,
    refetchOnWindowFocus: before === undefined && 'always',
  })

export const sumsQuery = (selection: Selection) =>
  queryOptions({
    queryKey: ['admin', 'payments', 'sums', selection],
    queryFn: async ({ signal }) =>
      (await api('GET /api/admin/payments/totals', { query: filtersOf(selection), signal })).totals,
    placeholderData: keepPreviousData,
    refetchInterval: USER_REFRESH_MS,
  })

export const cashQuery = queryOptions({
  queryKey: ['admin', 'payments', 'cash'],
  queryFn: async ({ signal }) =>
    (await api('GET /api/admin/dashboard/cash', { query: { timezone: viewersZone() }, signal })).cash,
  refetchInterval: USER_REFRESH_MS,
})

export const paymentQuery = (id: number) =>
  queryOptions({
    queryKey: ['admin', 'payments', 'one', id],
    queryFn: ({ signal }) => api('GET /api/admin/payments/:id', { params: { id }, signal }),
    refetchInterval: USER_REFRESH_MS,
  })

export type ReviewState = 'open' | NonNullable<PaymentsSearch['decided']>

export const reviewsQuery = (state: ReviewState, age: PaymentsSearch['age'], before: number | undefined) =>
  queryOptions({
    queryKey: ['admin', 'payment-reviews', state, age ?? null, before ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/admin/payment-reviews', {
        query: { state, ...(age && { age }), ...(before !== undefined && { before }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: before === undefined && USER_REFRESH_MS,
  })

/** Number of open review items. */
export const openReviewsQuery = queryOptions({
  queryKey: ['admin', 'payment-reviews', 'count'],
  queryFn: async ({ signal }) =>
    (await api('GET /api/admin/payment-reviews', { query: { state: 'open', limit: 1 }, signal })).open,
  refetchInterval: USER_REFRESH_MS,
})

/** Balance and available amount of a customer. */
export const fundsQuery = (userId: number) =>
  queryOptions({
    queryKey: ['admin', 'funds', userId],
    queryFn: ({ signal }) =>
      api('GET /api/admin/users/:id/statement', { params: { id: userId }, query: { limit: 1 }, signal }),
  })
