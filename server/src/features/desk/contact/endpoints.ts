import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { ContactAdministration } from './administration.ts'
import type { Contact } from './service.ts'

export const contactEndpoints = (contact: Contact, administration: ContactAdministration) =>
  defineHandlers({
    'POST /api/contact': async ({ body, client }) => {
      await contact.receive(body, client.address)
      return { message: ownMessages.contactReceived }
    },

    'GET /api/admin/contact-requests': ({ caller, query }) => administration.list(caller, query),

    'PATCH /api/admin/contact-requests/:id': async ({ caller, params, body }) => ({
      request: await administration.mark(caller, params.id, body.handled),
    }),
  })
