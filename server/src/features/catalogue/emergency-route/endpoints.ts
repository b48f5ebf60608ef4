import { defineHandlers } from '../../../platform/handler.ts'
import type { EmergencyRoutes } from './service.ts'

export const emergencyRouteEndpoints = (routes: EmergencyRoutes) =>
  defineHandlers({
    'GET /api/admin/emergency-route': async ({ caller }) => ({ route: await routes.read(caller) }),

    'PUT /api/admin/emergency-route': async ({ caller, body }) => ({ route: await routes.set(caller, body) }),

    'DELETE /api/admin/emergency-route': async ({ caller }) => ({ route: await routes.remove(caller) }),
  })
