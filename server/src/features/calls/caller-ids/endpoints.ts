import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { CallerIdAdministration } from './administration.ts'
import type { CallerIds } from './service.ts'

export const callerIdEndpoints = (callerIds: CallerIds, administration: CallerIdAdministration) =>
  defineHandlers({
    'GET /api/user/callerid': ({ caller }) => callerIds.own(caller),

    'POST /api/user/callerid': async ({ caller, body }) => ({
      ...(await callerIds.set(caller, body)),
      message: ownMessages.callerIdSaved,
    }),

    'GET /api/admin/caller-ids': ({ caller, query }) => administration.list(caller, query),

    'PATCH /api/admin/caller-ids/:id': async ({ caller, params: { id }, body }) => ({
      request: await administration.decide(caller, id, body),
      message: body.state === 'approved' ? ownMessages.callerIdApproved : ownMessages.callerIdRejected,
    }),
  })
