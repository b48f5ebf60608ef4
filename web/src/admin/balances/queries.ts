import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { USER_REFRESH_MS } from '@trunkline/contract/limits'
import { api } from '../../app/api.ts'
import { filtersOf, type Selection } from '../../common/statement/search.ts'

export const statementQuery = (userId: number, selection: Selection, before: number | undefined) =>
  queryOptions({
    queryKey: ['admin', 'balances', userId, selection, before ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/admin/users/:id/statement', {
        params: { id: userId },
        query: { ...filtersOf(selection), ...(before !== undefined && { before }) },
        signal,
      }),
    // Placeholder only for the same customer, so that the money of another customer never appears.
    placeholderData: (previous, query) => (query?.queryKey[2] === userId ? previous : undefined),
    refetchInterval: before === undefined && USER_REFRESH_MS,
  })

export const adjustmentsQuery = (before: number | undefined) =>
  queryOptions({
    queryKey: ['admin', 'adjustments', before ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/admin/balance-adjustments', { query: before === undefined ? {} : { before }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: before === undefined && USER_REFRESH_MS,
  })

export const proofQuery = queryOptions({
  queryKey: ['admin', 'books'],
  queryFn: async ({ signal }) => (await api('GET /api/admin/books', { signal })).proof,
})
