import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { CustomerHealth } from './health.ts'
import type { UserNotes } from './notes.ts'
import type { UserAdministration } from './service.ts'
import type { UserTags } from './tags.ts'

export const adminUserEndpoints = (
  users: UserAdministration,
  notes: UserNotes,
  tags: UserTags,
  health: CustomerHealth,
) =>
  defineHandlers({
    'GET /api/users': ({ caller, query }) => users.list(caller, query),

    'POST /api/user/add': ({ caller, body }) => users.add(caller, body),

    'PATCH /api/admin/user/update': ({ caller, body }) => users.update(caller, body),

    'GET /api/admin/users/:id': ({ caller, params }) => users.get(caller, params.id),

    'GET /api/admin/users/:id/health': ({ caller, params }) => health.ofUser(caller, params.id),

    'GET /api/admin/users/:id/sessions': ({ caller, params, token }) =>
      users.sessionsOf(caller, params.id, token),

    'DELETE /api/admin/users/:id/sessions': ({ caller, params, query }) =>
      users.signOut(caller, params.id, { endsSipAccess: query.sip_access === 'end' }),

    'GET /api/admin/users/:id/sip': ({ caller, params }) => users.sip(caller, params.id),

    'GET /api/admin/users/:id/notes': ({ caller, params, query }) => notes.list(caller, params.id, query),

    'POST /api/admin/users/:id/notes': async ({ caller, params, body }) => ({
      note: await notes.add(caller, params.id, body.note),
    }),

    'PATCH /api/admin/user-notes/:id': async ({ caller, params, body }) => ({
      note: await notes.change(caller, params.id, body),
    }),

    'DELETE /api/admin/user-notes/:id': async ({ caller, params }) => {
      await notes.remove(caller, params.id)
      return { message: ownMessages.noteDeleted }
    },

    'GET /api/admin/user-tags': ({ caller }) => tags.list(caller),

    'POST /api/admin/users/:id/tags': ({ caller, params, body }) => tags.add(caller, params.id, body.tag),

    'DELETE /api/admin/users/:id/tags': ({ caller, params, query }) =>
      tags.remove(caller, params.id, query.tag),
  })
