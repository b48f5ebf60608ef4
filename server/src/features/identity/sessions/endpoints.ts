import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { Sessions } from './service.ts'

export const sessionEndpoints = (sessions: Sessions) =>
  defineHandlers({
    'POST /api/auth/login': ({ body, client }) => sessions.signIn(body.username, body.password, client),

    'GET /api/auth/verify': async ({ caller }) => ({ user: await sessions.currentUser(caller) }),

    'GET /api/auth/me': async ({ caller }) => ({ user: await sessions.currentUser(caller) }),

    'POST /api/auth/logout': async ({ caller, token }) => {
      await sessions.signOut(caller, token)
      return { message: 'Signed out.' }
    },

    'POST /api/auth/prove': async ({ caller, token, body, client }) => {
      await sessions.prove(caller, token, body.password, client)
      return { message: ownMessages.passwordProven }
    },

    'GET /api/user/sessions': async ({ caller, token }) => ({ sessions: await sessions.own(caller, token) }),

    'DELETE /api/user/sessions/:id': async ({ caller, params }) => {
      await sessions.end(caller, params.id)
      return { message: ownMessages.sessionEnded }
    },

    'DELETE /api/user/sessions': async ({ caller, token, query }) => ({
      ended:
        query.sip_access === 'end'
          ? await sessions.signOutElsewhereAndEndSip(caller, token)
          : await sessions.signOutElsewhere(caller, token),
      message: ownMessages.otherSessionsEnded,
    }),
  })
