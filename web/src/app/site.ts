import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Site } from '@trunkline/contract/site'
import { api } from './api.ts'

/** The server writes it into the page, so that no name changes after the first paint. The development server does not. */
const siteInPage = (): Site | undefined =>
  JSON.parse(globalThis.document?.getElementById('site')?.textContent || 'null') ?? undefined

const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => api('GET /api/site', { signal }),
  initialData: siteInPage,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** Undefined until it is loaded. */
export const useSite = (): Site | undefined => useQuery(siteQuery).data
