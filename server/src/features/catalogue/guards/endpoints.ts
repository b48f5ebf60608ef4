import type { HandlersOf } from '../../../platform/handler.ts'
import type { GuardSettings } from './service.ts'

type Addresses =
  | 'GET /api/user/guards'
  | 'PATCH /api/user/guards'
  | 'GET /api/admin/users/:id/guards'
  | 'PATCH /api/admin/users/:id/guards'

export const guardEndpoints = (guards: GuardSettings): HandlersOf<Addresses> => ({
  'GET /api/user/guards': ({ caller }) => guards.own(caller),

  'PATCH /api/user/guards': ({ caller, body, isProven }) => guards.tighten(caller, body, isProven),

  'GET /api/admin/users/:id/guards': ({ caller, params }) => guards.ofUser(caller, params.id),

  'PATCH /api/admin/users/:id/guards': ({ caller, params, body, isProven }) =>
    guards.set(caller, params.id, body, isProven),
})
