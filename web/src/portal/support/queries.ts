import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { cursorPages } from '../../common/cursor-pages.ts'
import { createTicketDesk, LOOK_MS } from '../../common/tickets/desk.ts'

const side = ['tickets']

export const ticketsQuery = infiniteQueryOptions({
  queryKey: [...side, 'list'],
  queryFn: ({ pageParam, signal }) =>
    api('GET /api/support/tickets', { query: pageParam === null ? {} : { before: pageParam }, signal }),
  ...cursorPages,
  refetchInterval: LOOK_MS,
  refetchOnWindowFocus: 'always',
})

export const desk = createTicketDesk({
  side,
  read: (id, signal) => api('GET /api/support/tickets/:id', { params: { id }, signal }),
  reply: (id, message) => api('POST /api/support/tickets/:id/replies', { params: { id }, body: { message } }),
  change: (id, body) => api('PATCH /api/support/tickets/:id', { params: { id }, body }),
  markRead: (id) => api('POST /api/support/tickets/:id/read', { params: { id } }),
})
