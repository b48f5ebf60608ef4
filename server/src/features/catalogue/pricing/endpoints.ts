import { defineHandlers } from '../../../platform/handler.ts'
import type { Pricing } from './service.ts'

export const pricingEndpoints = (pricing: Pricing) =>
  defineHandlers({
    'GET /api/pricing': () => pricing.list(),

    'GET /api/pricing/rates': async ({ query }) => ({ rates: await pricing.rates(query) }),

    'GET /api/pricing/quote': ({ caller, query }) => pricing.quote(caller, query.number),
  })
