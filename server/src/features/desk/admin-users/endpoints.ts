import type { HandlersOf } from '../../../platform/handler.ts'
import type { UserAdministration } from './service.ts'

type Addresses =
  | 'GET /api/users'
  | 'POST /api/user/add'
  | 'PATCH /api/admin/user/update'
  | 'GET /api/admin/users/:id'
  | 'GET /api/admin/users/:id/sessions'
  | 'DELETE /api/admin/users/:id/sessions'
  | 'GET /api/admin/users/:id/sip'

export const adminUserEndpoints = (users: UserAdministration): HandlersOf<Addresses> => ({
  'GET /api/users': ({ caller, query }) => users.list(caller, query),

  'POST /api/user/add': ({ caller, body }) => users.add(caller, body),

  'PATCH /api/admin/user/update': ({ caller, body }) => users.update(caller, body),

  'GET /api/admin/users/:id': ({ caller, params }) => users.get(caller, params.id),

  'GET /api/admin/users/:id/sessions': ({ caller, params, token }) =>
    users.sessionsOf(caller, params.id, token),

  'DELETE /api/admin/users/:id/sessions': ({ caller, params, query }) =>
    users.signOut(caller, params.id, { endsSipAccess: query.sip_access === 'end' }),

  'GET /api/admin/users/:id/sip': ({ caller, params }) => users.sip(caller, params.id),
})
