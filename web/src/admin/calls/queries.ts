import { queryOptions } from '@tanstack/react-query'
import type { AdminCdrDetails } from '@trunkline/contract/cdr'
import { api } from '../../app/api.ts'

const STALE_MS = 60_000

/** Names of carriers by id. */
export const carriersQuery = queryOptions({
  queryKey: ['admin', 'trunks', 'names'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<number, string>> => {
    const { trunks } = await api('GET /api/trunks', { signal })
    return new Map(trunks.map(({ id, name }) => [id, name]))
  },
  staleTime: STALE_MS,
})

/** Names of routes by id. A name is unique only in its country. */
export const routeNamesQuery = queryOptions({
  queryKey: ['admin', 'routes', 'names'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<number, string>> => {
    const { routes } = await api('GET /api/routes', { signal })
    return new Map(routes.map(({ id, country, name }) => [id, `${country}, ${name}`]))
  },
  staleTime: STALE_MS,
})

/** The last messages are stored a few seconds after the end of the call. */
const SETTLED_MS = 15_000
const POLL_MS = 3_000

export const messagesQuery = ({ id, ended_at: endedAt }: Pick<AdminCdrDetails, 'id' | 'ended_at'>) =>
  queryOptions({
    queryKey: ['cdr', 'everybody', 'messages', id],
    queryFn: async ({ signal }) =>
      (await api('GET /api/admin/cdr/:id/messages', { params: { id }, signal })).trace,
    refetchInterval: () => Date.now() - Date.parse(endedAt) < SETTLED_MS && POLL_MS,
  })
