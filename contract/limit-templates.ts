import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { filled, Id, Message, Timestamp } from './fields.ts'
import { GuardChange, GuardLayer, GuardsOfUser } from './guards.ts'
import { LIMIT_TEMPLATE_NAME_MAX } from './limits.ts'
import { ownMessages } from './messages.ts'
import { GivenId, IdInPath } from './money.ts'

/** Named limits that administrators apply to customers. A template that changes later changes no customer. */

export const LimitTemplate = GuardLayer.omit({ calls_stopped: true }).extend({
  id: Id,
  name: z.string(),
  /** Users who got this template last. */
  users: z.int(),
  /** Increases with every change. */
  version: z.int(),
})
export type LimitTemplate = z.output<typeof LimitTemplate>

const fields = GuardChange.omit({ calls_stopped: true }).extend({
  name: filled(ownMessages.templateNameMissing, LIMIT_TEMPLATE_NAME_MAX),
})

export const limitTemplates = {
  'GET /api/admin/limit-templates': {
    access: 'admin',
    summary: 'List the templates of limits by name',
    answer: z.object({ templates: z.array(LimitTemplate) }),
  },
  'POST /api/admin/limit-templates': {
    access: 'admin',
    summary: 'Create a template of limits. A limit that is left out or null is the default',
    body: fields,
    answer: z.object({ template: LimitTemplate }),
    refusals: ['template_taken', 'too_many_templates'],
  },
  'PATCH /api/admin/limit-templates/:id': {
    access: 'admin',
    summary: 'Change a template of limits. Customers keep the limits that they got from it',
    params: IdInPath,
    body: fields.partial().extend({
      /** The version that was read. The request fails if someone has changed the template since. */
      version: z.int().optional(),
    }),
    answer: z.object({ template: LimitTemplate }),
    refusals: ['not_found', 'template_taken', 'changed_meanwhile'],
  },
  'DELETE /api/admin/limit-templates/:id': {
    access: 'admin',
    summary: 'Delete a template of limits. Customers keep the limits that they got from it',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found'],
  },
  'POST /api/admin/users/:id/limit-template': {
    access: 'admin',
    summary: 'Replace the limits of an account with those of a template. Stopped calls stay stopped',
    params: IdInPath,
    body: z.strictObject({
      template_id: GivenId,
      /** The value that was read. The request fails if the limits have changed since. */
      updated_at: Timestamp.nullable().optional(),
    }),
    answer: GuardsOfUser,
    refusals: ['not_found', 'changed_meanwhile', 'password_needed'],
  },
} as const satisfies Endpoints
