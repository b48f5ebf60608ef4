import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { AnswerOf, RequestOf } from '@trunkline/contract'
import type { Ticket } from '@trunkline/contract/tickets'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'

/** Between two looks for an answer; none are taken while nobody sees the page. */
const LOOK_MS = 4_000

export type Thread = AnswerOf<'GET /api/support/tickets/:id'>
type Change = RequestOf<'PATCH /api/support/tickets/:id'>['body']

export const ticketsQuery = infiniteQueryOptions({
  queryKey: ['tickets', 'list'],
  queryFn: ({ pageParam, signal }) =>
    api('GET /api/support/tickets', { query: pageParam === null ? {} : { before: pageParam }, signal }),
  initialPageParam: null as number | null,
  getNextPageParam: ({ next }) => next ?? undefined,
  refetchInterval: LOOK_MS,
  refetchOnWindowFocus: 'always',
})

export const threadQuery = (id: number) =>
  queryOptions({
    queryKey: ['tickets', 'thread', id],
    queryFn: ({ signal }): Promise<Thread> => api('GET /api/support/tickets/:id', { params: { id }, signal }),
    refetchInterval: LOOK_MS,
    refetchOnWindowFocus: 'always',
  })

const rereadList = () => queryClient.invalidateQueries({ queryKey: ticketsQuery.queryKey })

/** A look that is under way knows nothing of what was just done: it must not have the last word. */
async function keep(id: number, change: (thread: Thread) => Thread): Promise<void> {
  const { queryKey } = threadQuery(id)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, (now) => now && change(now))
  void rereadList()
}

export const useOpenTicket = () =>
  useMutation({
    mutationFn: (body: RequestOf<'POST /api/support/tickets'>['body']) =>
      api('POST /api/support/tickets', { body }),
    onSuccess: () => rereadList(),
  })

export const useReply = (id: number) =>
  useMutation({
    mutationFn: (message: string) =>
      api('POST /api/support/tickets/:id/replies', { params: { id }, body: { message } }),
    onSuccess: (thread) => keep(id, () => thread),
    // It may have been closed meanwhile.
    onError: () => queryClient.invalidateQueries({ queryKey: threadQuery(id).queryKey }),
  })

export const useChangeTicket = (id: number) =>
  useMutation({
    mutationFn: (body: Change) => api('PATCH /api/support/tickets/:id', { params: { id }, body }),
    onSuccess: ({ ticket }) => keep(id, (thread) => ({ ...thread, ticket })),
  })

/** Tells that what came in was seen. If that fails, the next look finds it unread and tells again. */
export async function tellRead({ id }: Ticket): Promise<void> {
  await api('POST /api/support/tickets/:id/read', { params: { id } })
  await keep(id, (thread) => ({ ...thread, ticket: { ...thread.ticket, unread: 0 } }))
}
