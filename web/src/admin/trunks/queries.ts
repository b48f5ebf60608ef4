import { queryOptions } from '@tanstack/react-query'
import { LIVE_CALLS_POLL_MS } from '@trunkline/contract/limits'
import type { Plan } from '@trunkline/contract/plans'
import type { Route } from '@trunkline/contract/routes'
import type { Trunk } from '@trunkline/contract/trunks'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import type { ListName } from './search.ts'

const alwaysFresh = { refetchOnWindowFocus: 'always' } as const

/** Usage and health are live data, so they refresh as often as live calls. */
export const trunksQuery = queryOptions({
  queryKey: ['admin', 'trunks', 'all'],
  queryFn: async ({ signal }): Promise<Trunk[]> => (await api('GET /api/trunks', { signal })).trunks,
  refetchInterval: LIVE_CALLS_POLL_MS,
  ...alwaysFresh,
})

export const figuresQuery = queryOptions({
  queryKey: ['admin', 'trunks', 'figures'],
  queryFn: async ({ signal }) => {
    const { figures } = await api('GET /api/admin/trunk-figures', { signal })
    return Object.fromEntries(figures.map((each) => [each.trunk_id, each]))
  },
  refetchInterval: 60_000,
})

export const plansQuery = queryOptions({
  queryKey: ['admin', 'plans'],
  queryFn: async ({ signal }): Promise<Plan[]> => (await api('GET /api/admin/plans', { signal })).plans,
  ...alwaysFresh,
})

export const routesQuery = queryOptions({
  queryKey: ['admin', 'routes'],
  queryFn: async ({ signal }): Promise<Route[]> => (await api('GET /api/routes', { signal })).routes,
  ...alwaysFresh,
})

export const trialQuery = (number: string, home: string) =>
  queryOptions({
    queryKey: ['admin', 'trunks', 'trial', number, home],
    queryFn: async ({ signal }) => {
      const query = home === '' ? { number } : { number, home_country: home }
      return (await api('GET /api/admin/try-number', { query, signal })).trial
    },
    enabled: number !== '',
    staleTime: 0,
    ...alwaysFresh,
  })

type RatesPage = Awaited<ReturnType<typeof api<'GET /api/routes/:id/rates'>>>
export type ListedRate = RatesPage['rates'][number]

export const ratesQuery = ({ shelf, id }: ListName, search: string, after: string | undefined) =>
  queryOptions({
    queryKey: ['admin', 'trunks', 'rates', shelf, id, search, after ?? ''],
    queryFn: ({ signal }): Promise<RatesPage> => {
      const request = { params: { id }, query: { search, ...(after !== undefined && { after }) }, signal }
      return shelf === 'trunk'
        ? api('GET /api/trunks/:id/rates', request)
        : api('GET /api/routes/:id/rates', request)
    },
    placeholderData: (before) => before,
  })

export const decksQuery = ({ shelf, id }: ListName) =>
  queryOptions({
    queryKey: ['admin', 'trunks', 'decks', shelf, id],
    queryFn: async ({ signal }) => {
      const request = { params: { id }, signal }
      const { decks } = await (shelf === 'trunk'
        ? api('GET /api/trunks/:id/rate-decks', request)
        : api('GET /api/routes/:id/rate-decks', request))
      return decks
    },
    refetchInterval: 60_000,
    ...alwaysFresh,
  })

/** Trunks, plans and routes show each other's data. */
export async function refreshCatalogue(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['admin', 'trunks'] }),
    queryClient.invalidateQueries({ queryKey: plansQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: routesQuery.queryKey }),
  ])
}
