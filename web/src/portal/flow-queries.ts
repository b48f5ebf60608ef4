import { queryOptions } from '@tanstack/react-query'
import { api } from '../app/api.ts'

/** Used by Flows and by Numbers, which leads calls to flows. */
export const flowsQuery = queryOptions({
  queryKey: ['flows', 'list'],
  queryFn: async ({ signal }) => (await api('GET /api/flows', { signal })).flows,
  refetchOnWindowFocus: 'always',
})
