import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { TicketAdministration } from './administration.ts'
import type { CannedReplies } from './canned-replies.ts'
import type { Tickets } from './service.ts'

export const ticketEndpoints = (
  tickets: Tickets,
  administration: TicketAdministration,
  cannedReplies: CannedReplies,
) =>
  defineHandlers({
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

    'GET /api/admin/support/times': ({ caller }) => administration.times(caller),

    'GET /api/admin/support/staff': async ({ caller }) => ({ staff: await administration.staff(caller) }),

    'GET /api/admin/support/tickets/:id': ({ caller, params }) => administration.thread(caller, params.id),

    'POST /api/admin/support/tickets/:id/replies': ({ caller, params, body }) =>
      administration.reply(caller, params.id, body.message),

    'POST /api/admin/support/tickets/:id/notes': ({ caller, params, body }) =>
      administration.addNote(caller, params.id, body.note),

    'PATCH /api/admin/support/tickets/:id': async ({ caller, params, body }) => ({
      ticket: await administration.change(caller, params.id, body),
    }),

    'POST /api/admin/support/tickets/:id/read': async ({ caller, params }) => {
      await administration.read(caller, params.id)
      return { message: ownMessages.ticketRead }
    },

    'GET /api/admin/support/canned-replies': async ({ caller }) => ({
      replies: await cannedReplies.list(caller),
    }),

    'POST /api/admin/support/canned-replies': async ({ caller, body }) => ({
      reply: await cannedReplies.create(caller, body),
    }),

    'PATCH /api/admin/support/canned-replies/:id': async ({ caller, params, body }) => ({
      reply: await cannedReplies.change(caller, params.id, body),
    }),

    'DELETE /api/admin/support/canned-replies/:id': async ({ caller, params }) => {
      await cannedReplies.remove(caller, params.id)
      return { message: ownMessages.cannedReplyDeleted }
    },
  })
