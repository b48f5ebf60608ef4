import type { HandlersOf } from '../../../platform/handler.ts'
import type { EmergencyRoutes } from './service.ts'

type Addresses =
  | 'GET /api/admin/emergency-route'
  | 'PUT /api/admin/emergency-route'
  | 'DELETE /api/admin/emergency-route'

export const emergencyRouteEndpoints = (routes: EmergencyRoutes): HandlersOf<Addresses> => ({
  'GET /api/admin/emergency-route': async ({ caller }) => ({ route: await routes.read(caller) }),

  'PUT /api/admin/emergency-route': async ({ caller, body }) => ({ route: await routes.set(caller, body) }),

  'DELETE /api/admin/emergency-route': async ({ caller }) => ({ route: await routes.remove(caller) }),
})
