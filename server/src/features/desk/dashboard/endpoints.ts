import type { HandlersOf } from '../../../platform/handler.ts'
import type { Dashboard } from './service.ts'

type Addresses =
  | 'GET /api/dashboard/stats'
  | 'GET /api/dashboard/charts'
  | 'GET /api/dashboard/usage'
  | 'GET /api/routes/quality'
  | 'GET /api/admin/dashboard/stats'
  | 'GET /api/admin/dashboard/charts'
  | 'GET /api/admin/dashboard/today'
  | 'GET /api/admin/dashboard/cash'
  | 'GET /api/admin/dashboard/business'

export const dashboardEndpoints = (dashboard: Dashboard): HandlersOf<Addresses> => ({
  'GET /api/dashboard/stats': async ({ caller }) => ({ stats: await dashboard.stats(caller) }),

  'GET /api/dashboard/charts': async ({ caller, query }) => ({
    charts: await dashboard.charts(caller, query.timezone),
  }),

  'GET /api/dashboard/usage': async ({ caller, query }) => ({
    usage: await dashboard.usage(caller, query.timezone),
  }),

  'GET /api/routes/quality': async () => ({ routes: await dashboard.routeQuality() }),

  'GET /api/admin/dashboard/stats': async ({ caller }) => ({ stats: await dashboard.statsOfAll(caller) }),

  'GET /api/admin/dashboard/charts': async ({ caller, query }) => ({
    charts: await dashboard.chartsOfAll(caller, query.timezone),
  }),

  'GET /api/admin/dashboard/today': async ({ caller, query }) => ({
    today: await dashboard.today(caller, query.timezone),
  }),

  'GET /api/admin/dashboard/cash': async ({ caller, query }) => ({
    cash: await dashboard.cash(caller, query.timezone),
  }),

  'GET /api/admin/dashboard/business': async ({ caller, query }) => ({
    business: await dashboard.business(caller, query),
  }),
})
