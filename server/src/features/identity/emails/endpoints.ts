import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { Emails } from './service.ts'

export const emailEndpoints = (emails: Emails) =>
  defineHandlers({
    'GET /api/user/email': ({ caller }) => emails.own(caller),

    'PUT /api/user/email': async ({ caller, body }) => ({
      ...(await emails.request(caller, body.email)),
      message: ownMessages.emailLinkSent,
    }),

    'POST /api/auth/verify-email': async ({ body, client }) => ({
      email: await emails.confirm(body.token, client),
      message: ownMessages.emailVerified,
    }),
  })
