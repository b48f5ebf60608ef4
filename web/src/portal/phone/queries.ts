import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

/** Recently called numbers without duplicates. */
export const recentQuery = queryOptions({
  queryKey: ['phone', 'recent'],
  queryFn: async ({ signal }) => {
    const { records } = await api('GET /api/cdr', { query: { limit: 30 }, signal })
    const numbers = records.filter(({ country }) => country !== null).map(({ destination }) => destination)
    return [...new Set(numbers)]
  },
})
