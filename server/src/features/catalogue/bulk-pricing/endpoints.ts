import { type HandlersOf, Streamed } from '../../../platform/handler.ts'
import type { BulkPricing } from './service.ts'

type Addresses =
  | 'POST /api/admin/bulk-pricing/preview'
  | 'GET /api/admin/bulk-pricing'
  | 'GET /api/admin/bulk-pricing/:id/rows'
  | 'GET /api/admin/bulk-pricing/:id/rows.csv'
  | 'POST /api/admin/bulk-pricing/:id/apply'
  | 'POST /api/admin/bulk-pricing/:id/undo'

export const bulkPricingEndpoints = (pricing: BulkPricing): HandlersOf<Addresses> => ({
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
