import { queryOptions, useMutation } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import type { Route } from '@trunkline/contract/routes'
import { ApiError, api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { useUser } from '../../app/session.ts'
import { toast } from '../../ui/toast.ts'
import { type Selection, withRoute } from './route-groups.ts'

/** An administrator may change prices meanwhile, so whoever comes back to the page sees them as they are. */
const seenAfresh = { refetchOnWindowFocus: 'always' } as const

export const routesQuery = queryOptions({
  queryKey: ['routes', 'all'],
  queryFn: async ({ signal }) => (await api('GET /api/routes', { signal })).routes,
  ...seenAfresh,
})

export const selectionQuery = queryOptions({
  queryKey: ['routes', 'selected'],
  queryFn: async ({ signal }): Promise<Selection> => await api('GET /api/user-selected-route', { signal }),
  ...seenAfresh,
})

/** By route. It changes slowly, and without it everything else can still be read. */
export const qualityQuery = queryOptions({
  queryKey: ['routes', 'quality'],
  queryFn: async ({ signal }) => {
    const { routes } = await api('GET /api/routes/quality', { signal })
    return Object.fromEntries(routes.map((quality) => [quality.route_id, quality]))
  },
  staleTime: 60_000,
})

export const quoteQuery = (number: string) =>
  queryOptions({
    queryKey: ['routes', 'quote', number],
    queryFn: ({ signal }) => api('GET /api/pricing/quote', { query: { number }, signal }),
    ...seenAfresh,
  })

/** Marked at once, saved, then read again with everything that follows from it. A save that failed is put back and told. */
export function useSelectRoute() {
  const user = useUser()
  const mark = (route: Route, id: number | null) =>
    // A selection that could not be loaded stays unknown: one route must not look like all of it.
    queryClient.setQueryData(
      selectionQuery.queryKey,
      (now) => now && withRoute(now, { country: route.country, code: route.country_code, id }),
    )
  return useMutation({
    mutationKey: ['select-route'],
    mutationFn: ({ id }: Route) =>
      api('POST /api/user-selected-route', { body: { user_id: user?.id, route_id: id } }),
    onMutate: async (route) => {
      await queryClient.cancelQueries({ queryKey: selectionQuery.queryKey })
      const before = queryClient
        .getQueryData(selectionQuery.queryKey)
        ?.selectedRoutes.find(({ country_code }) => country_code === route.country_code)
      mark(route, route.id)
      return before?.id ?? null
    },
    onError: (error, route, before) => {
      mark(route, before ?? null)
      const isLocked = error instanceof ApiError && error.code === 'premium_only'
      toast.error(isLocked ? messages.upgradeToSelect : explain(error, messages.selectRouteFailed))
    },
    onSettled: () => {
      // While another choice is on its way, reading now would show that one undone.
      if (queryClient.isMutating({ mutationKey: ['select-route'] }) === 1)
        void queryClient.invalidateQueries({ queryKey: ['routes'] })
    },
  })
}
