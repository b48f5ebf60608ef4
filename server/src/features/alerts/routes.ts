import type { HandlersOf } from '../../platform/handler.ts'
import type { AlertAdministration } from './administration.ts'
import type { Alerts } from './service.ts'

type Addresses = 'GET /api/alerts' | 'GET /api/admin/alerts' | 'POST /api/admin/alerts/:id/acknowledge'

export const alertRoutes = (alerts: Alerts, administration: AlertAdministration): HandlersOf<Addresses> => ({
  'GET /api/alerts': ({ caller, query }) => alerts.own(caller, query),

  'GET /api/admin/alerts': ({ caller, query }) => administration.list(caller, query),

  'POST /api/admin/alerts/:id/acknowledge': async ({ caller, params }) => ({
    alert: await administration.acknowledge(caller, params.id),
  }),
})
