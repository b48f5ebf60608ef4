export {
  type CostBasis,
  chooseCost,
  costBases,
  decidePrice,
  effectOf,
  type Margin,
  marginOf,
  type PriceDecision,
  type SkipReason,
  skipReasons,
} from './decide.ts'
export { type BillingTerms, type PricingRule, priceFor, ROUNDING_STEPS, targetOf } from './rule.ts'
