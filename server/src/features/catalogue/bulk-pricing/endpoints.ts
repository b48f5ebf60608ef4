import { defineHandlers, Streamed } from '../../../platform/handler.ts'
import type { BulkPricing } from './service.ts'

export const bulkPricingEndpoints = (pricing: BulkPricing) =>
  defineHandlers({
    'POST /api/admin/bulk-pricing/preview': ({ caller, body }) => pricing.preview(caller, body),

    'GET /api/admin/bulk-pricing': ({ caller, query }) => pricing.list(caller, query),

    'GET /api/admin/bulk-pricing/:id/rows': ({ caller, params, query }) =>
      pricing.rows(caller, params.id, query),

    'GET /api/admin/bulk-pricing/:id/rows.csv': async ({ caller, params, query }) =>
      new Streamed(await pricing.csv(caller, params.id, query.show), {
        'content-disposition': `attachment; filename="prices-${params.id}.csv"`,
      }),

    'POST /api/admin/bulk-pricing/:id/apply': async ({ caller, params }) => ({
      change: await pricing.apply(caller, params.id),
    }),

    'POST /api/admin/bulk-pricing/:id/undo': async ({ caller, params }) => ({
      change: await pricing.undo(caller, params.id),
    }),
  })
