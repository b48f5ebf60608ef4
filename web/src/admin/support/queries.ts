import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { CallerIdState } from '@trunkline/contract/caller-ids'
import { api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { cursorPages } from '../../common/cursor-pages.ts'
import { createTicketDesk, LOOK_MS } from '../../common/tickets/desk.ts'
import { toast } from '../../ui/toast.ts'
import { ALERTS_KEY } from '../queries.ts'
import { askFor, type Selection } from './search.ts'

const side = ['admin', 'tickets']
const live = { refetchInterval: LOOK_MS, refetchOnWindowFocus: 'always' } as const

export const ticketsQuery = (selection: Selection) =>
  infiniteQueryOptions({
    queryKey: [...side, 'list', selection],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/admin/support/tickets', {
        query: { ...askFor(selection), ...(pageParam !== null && { before: pageParam }) },
        signal,
      }),
    ...cursorPages,
    ...live,
  })

export const desk = createTicketDesk({
  side,
  read: (id, signal) => api('GET /api/admin/support/tickets/:id', { params: { id }, signal }),
  reply: (id, message) =>
    api('POST /api/admin/support/tickets/:id/replies', { params: { id }, body: { message } }),
  change: (id, body) => api('PATCH /api/admin/support/tickets/:id', { params: { id }, body }),
  markRead: (id) => api('POST /api/admin/support/tickets/:id/read', { params: { id } }),
})

/** Read again with the lists, for example after a reply. */
export const timesQuery = queryOptions({
  queryKey: [...side, 'list', 'times'],
  queryFn: ({ signal }) => api('GET /api/admin/support/times', { signal }),
  refetchInterval: 30_000,
})

export const staffQuery = queryOptions({
  queryKey: [...side, 'staff'],
  queryFn: ({ signal }) => api('GET /api/admin/support/staff', { signal }),
  staleTime: 60_000,
})

export const useAssign = (id: number) =>
  useMutation({
    mutationFn: (assigneeId: number | null) =>
      api('PATCH /api/admin/support/tickets/:id', { params: { id }, body: { assignee_id: assigneeId } }),
    onSuccess: ({ ticket }) => desk.keep(id, (thread) => ({ ...thread, ticket })),
    onError: (error) => {
      // The chosen administrator may have lost the rights.
      void queryClient.invalidateQueries({ queryKey: staffQuery.queryKey })
      toast.error(explain(error, 'The ticket could not be assigned. Please try again.'))
    },
  })

export async function addNote(id: number, note: string): Promise<void> {
  const thread = await api('POST /api/admin/support/tickets/:id/notes', { params: { id }, body: { note } })
  await desk.keep(id, () => thread)
}

export const cannedRepliesQuery = queryOptions({
  queryKey: ['admin', 'canned-replies'],
  queryFn: ({ signal }) => api('GET /api/admin/support/canned-replies', { signal }),
  staleTime: 60_000,
})

export const rereadCannedReplies = () =>
  queryClient.invalidateQueries({ queryKey: cannedRepliesQuery.queryKey })

const REQUESTS = ['admin', 'contact-requests']

export const requestsQuery = (state: 'open' | 'handled') =>
  infiniteQueryOptions({
    queryKey: [...REQUESTS, state],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/admin/contact-requests', {
        query: { state, ...(pageParam !== null && { before: pageParam }) },
        signal,
      }),
    ...cursorPages,
    ...live,
  })

const CALLER_IDS = ['admin', 'caller-ids']

export const callerIdsQuery = (state: CallerIdState, search?: string) =>
  infiniteQueryOptions({
    queryKey: [...CALLER_IDS, state, search ?? ''],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/admin/caller-ids', {
        query: { state, ...(search && { search }), ...(pageParam !== null && { before: pageParam }) },
        signal,
      }),
    ...cursorPages,
    ...live,
  })

export const useDecision = () =>
  useMutation({
    mutationFn: ({ id, ...body }: { id: number; state: 'approved' | 'rejected'; note: string }) =>
      api('PATCH /api/admin/caller-ids/:id', { params: { id }, body }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(explain(error, 'The decision could not be saved. Please try again.')),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: CALLER_IDS }),
        queryClient.invalidateQueries({ queryKey: ALERTS_KEY }),
      ]),
  })

export const useMarkHandled = () =>
  useMutation({
    mutationFn: ({ id, handled }: { id: number; handled: boolean }) =>
      api('PATCH /api/admin/contact-requests/:id', { params: { id }, body: { handled } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: REQUESTS }),
    onError: (error) => toast.error(explain(error, 'The request could not be updated. Please try again.')),
  })
