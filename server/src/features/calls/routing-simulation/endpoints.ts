import { defineHandlers } from '../../../platform/handler.ts'
import type { RoutingSimulations } from './service.ts'

export const routingSimulationEndpoints = (simulations: RoutingSimulations) =>
  defineHandlers({
    'POST /api/admin/routing-rules/simulate': async ({ caller, body }) => ({
      simulation: await simulations.run(caller, body),
    }),
  })
