import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Site } from '@trunkline/contract/site'
import { api } from './api.ts'

const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => api('GET /api/site', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** Undefined until it is loaded. */
export const useSite = (): Site | undefined => useQuery(siteQuery).data
