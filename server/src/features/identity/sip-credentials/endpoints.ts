import { defineHandlers } from '../../../platform/handler.ts'
import type { SipCredentials } from './service.ts'

export const sipCredentialEndpoints = (sip: SipCredentials) =>
  defineHandlers({
    'GET /api/user/sip': ({ caller }) => sip.connection(caller),

    'POST /api/user/sip/password': ({ caller, query }) => sip.renew(caller, query.algorithm),

    'POST /api/admin/users/:id/sip/password': ({ caller, params, query }) =>
      sip.renewFor(caller, params.id, query.algorithm),
  })
