import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { RentedNumber } from '@trunkline/contract/numbers'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { refresh } from '../../app/session.ts'
import { cursorPages } from '../../common/cursor-pages.ts'
import type { AvailableFilter } from './search.ts'

const TEST_CALL_REFRESH_MS = 1_000

export const numbersQuery = queryOptions({
  queryKey: ['numbers', 'rented'],
  queryFn: async ({ signal }) => (await api('GET /api/numbers', { signal })).numbers,
  refetchOnWindowFocus: 'always',
})

/** The last test call of a number, read again until it is over. */
export const testCallQuery = (id: number) =>
  queryOptions({
    queryKey: ['test-call', id],
    queryFn: async ({ signal }) =>
      (await api('GET /api/numbers/:id/test-calls', { params: { id }, signal })).test_call,
    refetchInterval: ({ state: { data } }) => (data?.is_running ? TEST_CALL_REFRESH_MS : false),
  })

export const availableQuery = (filter: AvailableFilter) =>
  infiniteQueryOptions({
    queryKey: ['numbers', 'available', filter],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/numbers/available', {
        query: { ...filter, ...(pageParam !== null && { after: pageParam }) },
        signal,
      }),
    ...cursorPages,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
  })

/** Rent changes the balance, the inventory and the own numbers. */
export function rereadNumbers(): Promise<void> {
  refresh().catch(() => {})
  return queryClient.invalidateQueries({ queryKey: ['numbers'] })
}

/** Shows a changed number at once. */
export const putNumber = (number: RentedNumber): void => {
  queryClient.setQueryData(numbersQuery.queryKey, (now) =>
    now?.map((each) => (each.id === number.id ? number : each)),
  )
}
