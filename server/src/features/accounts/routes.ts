import { ownMessages } from '@trunkline/contract/messages'
import type { HandlersOf } from '../../platform/handler.ts'
import type { Accounts } from './service.ts'

export const accountRoutes = (accounts: Accounts): HandlersOf<'POST /register'> => ({
  'POST /register': async ({ body, client }) => {
    const user = await accounts.register(body, client.address)
    return { success: true, message: ownMessages.registered, user_id: user.id }
  },
})
