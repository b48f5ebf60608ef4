import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { RequestOf } from '@trunkline/contract'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { cursorPages } from '../../common/cursor-pages.ts'
import { viewersZone } from '../../common/format/viewer.ts'

export type UsersAsked = NonNullable<RequestOf<'GET /api/users'>['query']>

const REFRESH_MS = 10_000

export const usersQuery = (asked: UsersAsked) =>
  queryOptions({
    queryKey: ['admin', 'users', 'list', asked],
    queryFn: ({ signal }) => api('GET /api/users', { query: asked, signal }),
    placeholderData: keepPreviousData,
  })

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['admin', 'users', 'one', id],
    queryFn: ({ signal }) => api('GET /api/admin/users/:id', { params: { id }, signal }),
    refetchInterval: REFRESH_MS,
  })

const partOf = (id: number, part: string) => ['admin', 'users', 'one', id, part] as const

export const healthQuery = (id: number) =>
  queryOptions({
    queryKey: partOf(id, 'health'),
    queryFn: ({ signal }) => api('GET /api/admin/users/:id/health', { params: { id }, signal }),
  })

export const sessionsQuery = (id: number) =>
  queryOptions({
    queryKey: partOf(id, 'sessions'),
    queryFn: ({ signal }) => api('GET /api/admin/users/:id/sessions', { params: { id }, signal }),
  })

export const sipQuery = (id: number) =>
  queryOptions({
    queryKey: partOf(id, 'sip'),
    queryFn: ({ signal }) => api('GET /api/admin/users/:id/sip', { params: { id }, signal }),
    refetchInterval: REFRESH_MS,
  })

export const addressesQuery = (id: number) =>
  queryOptions({
    queryKey: partOf(id, 'addresses'),
    queryFn: ({ signal }) => api('GET /api/admin/users/:id/addresses', { params: { id }, signal }),
    refetchInterval: REFRESH_MS,
  })

export const guardsQuery = (id: number) =>
  queryOptions({
    queryKey: partOf(id, 'guards'),
    queryFn: ({ signal }) => api('GET /api/admin/users/:id/guards', { params: { id }, signal }),
  })

export const liveCallsQuery = (id: number) =>
  queryOptions({
    queryKey: partOf(id, 'live-calls'),
    queryFn: ({ signal }) => api('GET /api/admin/live-calls', { query: { user: id }, signal }),
    refetchInterval: 5_000,
  })

export const tagsQuery = queryOptions({
  queryKey: ['admin', 'users', 'tags'],
  queryFn: ({ signal }) => api('GET /api/admin/user-tags', { signal }),
})

/** A list on the page of a user that continues before its last entry. */
const pagesOf = <Page extends { next: number | null }>(
  id: number,
  part: string,
  read: (query: { before?: number }, signal: AbortSignal) => Promise<Page>,
) =>
  infiniteQueryOptions({
    queryKey: partOf(id, part),
    queryFn: ({ pageParam: before, signal }) => read(before === null ? {} : { before }, signal),
    ...cursorPages,
    refetchInterval: REFRESH_MS,
  })

export const notesQuery = (id: number) =>
  pagesOf(id, 'notes', (query, signal) =>
    api('GET /api/admin/users/:id/notes', { params: { id }, query, signal }),
  )

export const statementQuery = (id: number) =>
  pagesOf(id, 'statement', (query, signal) =>
    api('GET /api/admin/users/:id/statement', { params: { id }, query, signal }),
  )

export const paymentsQuery = (id: number) =>
  pagesOf(id, 'payments', (query, signal) =>
    api('GET /api/admin/payments', { query: { user: id, ...query }, signal }),
  )

export const ticketsQuery = (id: number) =>
  pagesOf(id, 'tickets', (query, signal) =>
    api('GET /api/admin/support/tickets', { query: { user: id, ...query }, signal }),
  )

export const alertsQuery = (id: number) =>
  pagesOf(id, 'alerts', (query, signal) =>
    api('GET /api/admin/alerts', { query: { user: id, state: 'all', ...query }, signal }),
  )

export const recordsQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: partOf(id, 'records'),
    queryFn: ({ pageParam: cursor, signal }) =>
      api('GET /api/admin/cdr', {
        query: {
          user: id,
          timezone: viewersZone(),
          ...(cursor && { cursor }),
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    refetchInterval: REFRESH_MS,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

/** After any change of a user. */
export const rereadUsers = () => queryClient.invalidateQueries({ queryKey: ['admin', 'users'] })
