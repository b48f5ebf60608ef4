import type { HandlersOf } from '../../../platform/handler.ts'
import type { SipCredentials } from './service.ts'

type Addresses =
  | 'GET /api/user/sip'
  | 'POST /api/user/sip/password'
  | 'POST /api/admin/users/:id/sip/password'

export const sipCredentialEndpoints = (sip: SipCredentials): HandlersOf<Addresses> => ({
  'GET /api/user/sip': ({ caller }) => sip.connection(caller),

  'POST /api/user/sip/password': ({ caller, query }) => sip.renew(caller, query.algorithm),

  'POST /api/admin/users/:id/sip/password': ({ caller, params, query }) =>
    sip.renewFor(caller, params.id, query.algorithm),
})
