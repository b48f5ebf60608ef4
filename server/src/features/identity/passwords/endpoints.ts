import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { Passwords } from './service.ts'

export const passwordEndpoints = (passwords: Passwords) =>
  defineHandlers({
    'POST /api/auth/change-password': async ({ body, caller, client }) => {
      const token = await passwords.change(caller, body.currentPassword, body.newPassword, client)
      return { message: ownMessages.passwordChanged, token }
    },

    'POST /api/auth/forgot-password': async ({ body, client }) => {
      await passwords.requestReset(body.email, client)
      return { message: ownMessages.resetMailSent }
    },

    'POST /api/auth/reset-password': async ({ body, client }) => {
      await passwords.reset(body.token, body.newPassword, client, {
        endsSipAccess: body.sip_access === 'end',
      })
      return { message: ownMessages.passwordReset }
    },
  })
