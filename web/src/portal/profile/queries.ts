import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '@trunkline/contract'
import { USER_REFRESH_MS } from '@trunkline/contract/limits'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { cursorPages } from '../../common/cursor-pages.ts'

export type OwnGuards = AnswerOf<'GET /api/user/guards'>

/** The specification loads the profile with the stored token. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }) => (await api('GET /api/auth/verify', { signal })).user,
  refetchOnWindowFocus: true,
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await api('GET /api/user/sessions', { signal })).sessions,
  refetchOnWindowFocus: true,
})

/** Ended sessions also drop a pending email address. */
export const rereadSessions = () =>
  Promise.all([sessionsQuery, emailQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))

/** The link in the mail opens in another tab, so the address is refetched on focus. */
export const emailQuery = queryOptions({
  queryKey: ['email'],
  queryFn: ({ signal }) => api('GET /api/user/email', { signal }),
  refetchOnWindowFocus: 'always',
})

export const guardsQuery = queryOptions({
  queryKey: ['guards'],
  queryFn: ({ signal }) => api('GET /api/user/guards', { signal }),
  refetchOnWindowFocus: true,
})

/** Newest first. */
export const alertsQuery = infiniteQueryOptions({
  queryKey: ['alerts'],
  queryFn: ({ pageParam, signal }) =>
    api('GET /api/alerts', { query: pageParam === null ? { limit: 5 } : { before: pageParam }, signal }),
  ...cursorPages,
  refetchInterval: USER_REFRESH_MS,
})
