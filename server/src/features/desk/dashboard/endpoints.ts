import { defineHandlers } from '../../../platform/handler.ts'
import type { Dashboard } from './service.ts'

export const dashboardEndpoints = (dashboard: Dashboard) =>
  defineHandlers({
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
