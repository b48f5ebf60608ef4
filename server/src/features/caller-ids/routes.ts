import { ownMessages } from '@trunkline/contract/messages'
import type { HandlersOf } from '../../platform/handler.ts'
import type { CallerIds } from './service.ts'

type Addresses = 'GET /api/user/callerid' | 'POST /api/user/callerid'

export const callerIdRoutes = (callerIds: CallerIds): HandlersOf<Addresses> => ({
  'GET /api/user/callerid': ({ caller }) => callerIds.own(caller),

  'POST /api/user/callerid': async ({ caller, body }) => ({
    ...(await callerIds.set(caller, body)),
    message: ownMessages.callerIdSaved,
  }),
})
