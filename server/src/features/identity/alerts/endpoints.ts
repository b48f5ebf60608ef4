import { defineHandlers } from '../../../platform/handler.ts'
import type { AlertAdministration } from './administration.ts'
import type { Alerts } from './service.ts'
import type { AlertSettingsDesk } from './settings.ts'

export const alertEndpoints = (
  alerts: Alerts,
  administration: AlertAdministration,
  settings: AlertSettingsDesk,
) =>
  defineHandlers({
    'GET /api/alerts': ({ caller, query }) => alerts.own(caller, query),

    'GET /api/admin/alerts': ({ caller, query }) => administration.list(caller, query),

    'POST /api/admin/alerts/:id/acknowledge': async ({ caller, params }) => ({
      alert: await administration.acknowledge(caller, params.id),
    }),

    'POST /api/admin/alerts/acknowledge': async ({ caller, body }) => ({
      acknowledged: await administration.acknowledgeMany(caller, body.ids),
    }),

    'GET /api/admin/alert-settings': async ({ caller }) => ({ settings: await settings.show(caller) }),

    'PATCH /api/admin/alert-settings': async ({ caller, body }) => ({
      settings: await settings.change(caller, body),
    }),
  })
