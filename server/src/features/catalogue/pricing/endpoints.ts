import type { HandlersOf } from '../../../platform/handler.ts'
import type { Pricing } from './service.ts'

type Addresses = 'GET /api/pricing' | 'GET /api/pricing/rates' | 'GET /api/pricing/quote'

export const pricingEndpoints = (pricing: Pricing): HandlersOf<Addresses> => ({
  'GET /api/pricing': () => pricing.list(),

  'GET /api/pricing/rates': async ({ query }) => ({ rates: await pricing.rates(query) }),

  'GET /api/pricing/quote': ({ caller, query }) => pricing.quote(caller, query.number),
})
