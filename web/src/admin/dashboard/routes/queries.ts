import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../app/api.ts'

/** Each request compares every route with every trunk. */
const REFRESH_MS = 30_000

export const routesQuery = queryOptions({
  queryKey: ['admin', 'routes'],
  queryFn: async ({ signal }) => (await api('GET /api/routes', { signal })).routes,
  refetchInterval: REFRESH_MS,
  refetchOnWindowFocus: 'always',
})

/** With all rates that can be edited in the form; the list has only the first ones. */
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
    if (!Array.isArray(plans)) throw new Error('plans are not a list')
    return plans.map(String)
  },
  refetchOnMount: 'always',
})
