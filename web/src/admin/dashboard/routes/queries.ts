import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../app/api.ts'

/** Each look weighs every route against every trunk, so they are not too many. */
const RELOOK_MS = 30_000

/** Another administrator may be at work on them too. */
export const routesQuery = queryOptions({
  queryKey: ['admin', 'routes'],
  queryFn: async ({ signal }) => (await api('GET /api/routes', { signal })).routes,
  refetchInterval: RELOOK_MS,
  refetchOnWindowFocus: 'always',
})

/** With all the rates that can be edited by hand; the list has only the first of them. */
export const routeQuery = (id: number) =>
  queryOptions({
    queryKey: ['admin', 'routes', 'one', id],
    queryFn: async ({ signal }) => (await api('GET /api/routes/:id', { params: { id }, signal })).route,
    staleTime: 0,
    gcTime: 0,
  })

export const plansQuery = queryOptions({
  queryKey: ['admin', 'plans', 'names'],
  queryFn: async ({ signal }) => {
    const plans: unknown = await api('GET /api/plans', { signal })
    if (!Array.isArray(plans)) throw new Error('The plans are no list')
    return plans.map(String)
  },
  refetchOnMount: 'always',
})
