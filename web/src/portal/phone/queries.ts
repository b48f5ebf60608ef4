import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

/** Does the account rent a number? */
export const hasNumbersQuery = queryOptions({
  queryKey: ['numbers', 'any'],
  queryFn: async ({ signal }) => (await api('GET /api/numbers', { signal })).numbers.length > 0,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Recently called numbers without duplicates. */
export const recentQuery = queryOptions({
  queryKey: ['phone', 'recent'],
  queryFn: async ({ signal }) => {
    const { records } = await api('GET /api/cdr', { query: { limit: 30, direction: 'out' }, signal })
    const numbers = records.filter(({ country }) => country !== null).map(({ destination }) => destination)
    return [...new Set(numbers)]
  },
})
