import { ownMessages } from '@trunkline/contract/messages'
import type { HandlersOf } from '../../../platform/handler.ts'
import type { TicketAdministration } from './administration.ts'
import type { Tickets } from './service.ts'

type Addresses =
  | 'GET /api/support/tickets'
  | 'POST /api/support/tickets'
  | 'GET /api/support/tickets/:id'
  | 'POST /api/support/tickets/:id/replies'
  | 'PATCH /api/support/tickets/:id'
  | 'POST /api/support/tickets/:id/read'
  | 'GET /api/admin/support/tickets'
  | 'GET /api/admin/support/tickets/:id'
  | 'POST /api/admin/support/tickets/:id/replies'
  | 'PATCH /api/admin/support/tickets/:id'
  | 'POST /api/admin/support/tickets/:id/read'

export const ticketEndpoints = (
  tickets: Tickets,
  administration: TicketAdministration,
): HandlersOf<Addresses> => ({
  'GET /api/support/tickets': ({ caller, query }) => tickets.list(caller, query),

  'POST /api/support/tickets': async ({ caller, body }) => ({ ticket: await tickets.open(caller, body) }),

  'GET /api/support/tickets/:id': ({ caller, params }) => tickets.thread(caller, params.id),

  'POST /api/support/tickets/:id/replies': ({ caller, params, body }) =>
    tickets.reply(caller, params.id, body.message),

  'PATCH /api/support/tickets/:id': async ({ caller, params, body }) => ({
    ticket: await tickets.change(caller, params.id, body),
  }),

  'POST /api/support/tickets/:id/read': async ({ caller, params }) => {
    await tickets.read(caller, params.id)
    return { message: ownMessages.ticketRead }
  },

  'GET /api/admin/support/tickets': ({ caller, query }) => administration.list(caller, query),

  'GET /api/admin/support/tickets/:id': ({ caller, params }) => administration.thread(caller, params.id),

  'POST /api/admin/support/tickets/:id/replies': ({ caller, params, body }) =>
    administration.reply(caller, params.id, body.message),

  'PATCH /api/admin/support/tickets/:id': async ({ caller, params, body }) => ({
    ticket: await administration.change(caller, params.id, body),
  }),

  'POST /api/admin/support/tickets/:id/read': async ({ caller, params }) => {
    await administration.read(caller, params.id)
    return { message: ownMessages.ticketRead }
  },
})
