import { ownMessages } from '@trunkline/contract/messages'
import type { HandlersOf } from '../../platform/handler.ts'
import type { Contact } from './service.ts'

export const contactRoutes = (contact: Contact): HandlersOf<'POST /api/contact'> => ({
  'POST /api/contact': async ({ body, client }) => {
    await contact.receive(body, client.address)
    return { message: ownMessages.contactReceived }
  },
})
