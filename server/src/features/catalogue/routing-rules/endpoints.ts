import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { RoutingRules } from './service.ts'

export const routingRuleEndpoints = (rules: RoutingRules) =>
  defineHandlers({
    'GET /api/admin/routing-rules': async ({ caller }) => ({ rules: await rules.list(caller) }),

    'PUT /api/admin/routing-rules': async ({ caller, body }) => ({ rule: await rules.set(caller, body) }),

    'DELETE /api/admin/routing-rules/:id': async ({ caller, params, query }) => {
      await rules.remove(caller, params.id, query.version)
      return { message: ownMessages.ruleDeleted }
    },
  })
