import { queryOptions, useMutation } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import type { Route } from '@trunkline/contract/routes'
import { ApiError, api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { useUser } from '../../app/session.ts'
import { toast } from '../../ui/toast.ts'
import { type Selection, withRoute } from './route-groups.ts'

/** Prices may change, so returning to the page refetches them. */
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

/** Quality by route id. */
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

/** Optimistic update. A failed save is reverted and shows an error. */
export function useSelectRoute() {
  const user = useUser()
  const mark = (route: Route, id: number | null) =>
    // A selection that failed to load stays unknown.
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
      // Refetching during another save would revert its optimistic update.
      if (queryClient.isMutating({ mutationKey: ['select-route'] }) === 1)
        void queryClient.invalidateQueries({ queryKey: ['routes'] })
    },
  })
}
