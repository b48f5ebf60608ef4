import { messages, ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { Emails } from '../emails/service.ts'
import type { Profiles } from './profiles.ts'
import type { Accounts } from './service.ts'

export const accountEndpoints = (accounts: Accounts, profiles: Profiles, emails: Emails) =>
  defineHandlers({
    'POST /register': async ({ body, client }) => {
      const { user, claimedEmail } = await accounts.register(body, client.address)
      if (claimedEmail !== null) await emails.claimAtSignUp(user.id, claimedEmail)
      return { success: true, message: ownMessages.registered, user_id: user.id }
    },

    'PATCH /api/user/profile': async ({ caller, token, body, isProven }) => ({
      ...(await profiles.change(caller, token, body, isProven)),
      message: messages.profileUpdated,
    }),
  })
