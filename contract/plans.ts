import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Message } from './fields.ts'
import { messages, ownMessages } from './messages.ts'
import { GivenId, IdInPath } from './money.ts'
import { named } from './rates.ts'

/** A termination product. Routes belong to a plan, trunks serve plans. */
export const Plan = z.object({
  id: Id,
  name: z.string(),
  /** Number of routes and trunks that use it. */
  routes: z.int(),
  trunks: z.int(),
  trunk_ids: z.array(Id),
})
export type Plan = z.output<typeof Plan>

const GivenIds = z.array(GivenId).max(1_000)
const body = z.strictObject({ name: named(ownMessages.planMissing) })

export const plans = {
  'GET /api/plans': {
    access: 'user',
    summary: 'List the names of all plans',
    answer: z.array(z.string()),
  },
  'GET /api/admin/plans': {
    access: 'admin',
    summary: 'List plans with the number of routes and trunks that use them',
    answer: z.object({ plans: z.array(Plan) }),
  },
  'POST /api/plans': {
    access: 'admin',
    summary: 'Create a plan',
    body,
    answer: z.object({ plan: Plan }),
    refusals: ['plan_taken'],
  },
  'PATCH /api/plans/:id': {
    access: 'admin',
    summary: 'Rename a plan. With `was` the request fails if someone else renamed the plan',
    params: IdInPath,
    body: body.extend({ was: z.string().optional() }),
    answer: z.object({ plan: Plan }),
    refusals: ['not_found', 'plan_taken', 'changed_meanwhile'],
  },
  'PUT /api/plans/:id/trunks': {
    access: 'admin',
    summary: 'Add and remove trunks of a plan. Other trunks do not change',
    forbidden: messages.onlyAdminUpdatesRoutes,
    params: IdInPath,
    body: z.strictObject({ add: GivenIds, remove: GivenIds }),
    answer: z.object({ plan: Plan }),
    refusals: ['not_found'],
  },
  'DELETE /api/plans/:id': {
    access: 'admin',
    summary: 'Delete an unused plan',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found', 'plan_in_use'],
  },
} as const satisfies Endpoints
