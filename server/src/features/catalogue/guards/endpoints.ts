import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { GuardSettings } from './service.ts'
import type { LimitTemplates } from './templates.ts'

export const guardEndpoints = (guards: GuardSettings, templates: LimitTemplates) =>
  defineHandlers({
    'GET /api/user/guards': ({ caller }) => guards.own(caller),

    'PATCH /api/user/guards': ({ caller, body, isProven }) => guards.tighten(caller, body, isProven),

    'GET /api/admin/users/:id/guards': ({ caller, params }) => guards.ofUser(caller, params.id),

    'PATCH /api/admin/users/:id/guards': ({ caller, params, body, isProven }) =>
      guards.set(caller, params.id, body, isProven),

    'GET /api/admin/limit-templates': async ({ caller }) => ({ templates: await templates.list(caller) }),

    'POST /api/admin/limit-templates': async ({ caller, body }) => ({
      template: await templates.create(caller, body),
    }),

    'PATCH /api/admin/limit-templates/:id': async ({ caller, params, body }) => ({
      template: await templates.change(caller, params.id, body),
    }),

    'DELETE /api/admin/limit-templates/:id': async ({ caller, params }) => {
      await templates.remove(caller, params.id)
      return { message: ownMessages.templateDeleted }
    },

    'POST /api/admin/users/:id/limit-template': ({ caller, params, body, isProven }) =>
      templates.apply(caller, params.id, body, isProven),
  })
