import { queryOptions } from '@tanstack/react-query'
import type { RoutingRule } from '@trunkline/contract/routing-rules'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'

/** The worker judges trunks every minute. */
export const rulesQuery = queryOptions({
  queryKey: ['admin', 'trunks', 'rules'],
  queryFn: async ({ signal }): Promise<RoutingRule[]> =>
    (await api('GET /api/admin/routing-rules', { signal })).rules,
  refetchInterval: 30_000,
  refetchOnWindowFocus: 'always',
})

export const rereadRules = () => queryClient.invalidateQueries({ queryKey: ['admin', 'trunks'] })
