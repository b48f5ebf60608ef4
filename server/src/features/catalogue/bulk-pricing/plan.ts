import type { PriceCounts, PricingRule } from '@trunkline/contract/bulk-pricing'
import { PRICE_MAX_DOLLARS } from '@trunkline/contract/limits'
import { countryName } from '@trunkline/domain/countries'
import { dollars, type Micros, micros, ZERO } from '@trunkline/domain/money'
import { digitsOfCountry } from '@trunkline/domain/numbers'
import {
  chooseCost,
  decidePrice,
  type PricingRule as ExactRule,
  effectOf,
  marginOf,
  type SkipReason,
} from '@trunkline/domain/pricing'
import { costOfMinute, type Rate } from '@trunkline/domain/rating'
import { buyRateFor, type Route, type Trunk } from '@trunkline/domain/routing'
import { microsOf } from '../../../platform/amounts.ts'
import { yieldToEventLoop } from '../../../platform/event-loop.ts'
import { servingTrunks } from '../routes/dearer-trunks.ts'
import type { CallSums } from './prices-store.ts'

/** A price with everything that a preview shows. */
export type PlannedPrice = {
  routeId: number
  country: string
  routeName: string
  planName: string
  /** Empty for the route's own price. */
  prefix: string
  rate: Rate
  trunkName: string | null
  costMicros: Micros | null
  afterMicros: Micros | null
  skipped: SkipReason | null
  customers: number
  sums: CallSums
  effectMicros: Micros
}

/** Data about a route that does not decide its price. */
export type Facts = {
  customersOf: (routeId: number) => number
  sumsOf: (routeId: number, prefix: string) => CallSums
}

const MAX_PRICE = dollars(PRICE_MAX_DOLLARS)

/** The new prices of these routes, by country, name, plan and prefix. */
export async function planPrices(
  rule: PricingRule,
  routes: readonly Route[],
  trunks: readonly Trunk[],
  facts: Facts,
): Promise<PlannedPrice[]> {
  const exact = exactRule(rule)
  const planned: PlannedPrice[] = []
  for (const route of routes.toSorted(byCountry)) {
    const serving = servingTrunks(route, trunks)
    const rates = [...route.prefixRates.byPrefix.values()].sort((left, right) =>
      left.prefix < right.prefix ? -1 : 1,
    )
    planned.push(priceOf(rule, exact, route, { prefix: '', rate: route.rate }, serving, facts))
    for (const rate of rates)
      planned.push(priceOf(rule, exact, route, { prefix: rate.prefix, rate }, serving, facts))
    await yieldToEventLoop()
  }
  return planned
}

/** Digits whose buy rate is the cost of the route's own price. */
export const costDigits = ({ country }: Pick<Route, 'country'>): string => digitsOfCountry(country) ?? ''

function priceOf(
  rule: PricingRule,
  exact: ExactRule,
  route: Route,
  { prefix, rate }: { prefix: string; rate: Rate },
  serving: readonly Trunk[],
  { customersOf, sumsOf }: Facts,
): PlannedPrice {
  const number = prefix || costDigits(route)
  const costs = serving.map((trunk) => ({
    name: trunk.name,
    costMicros: costOfMinute(buyRateFor(trunk, number)),
  }))
  const cost = chooseCost(costs, rule.basis)
  const { skipped, priceMicros } = decidePrice({
    rule: exact,
    costMicros: cost?.costMicros ?? null,
    rate,
    includesFree: rule.with_free,
    maxPriceMicros: MAX_PRICE,
  })
  const sums = sumsOf(route.id, prefix)
  return {
    routeId: route.id,
    country: route.country,
    routeName: route.name,
    planName: route.planName,
    prefix,
    rate,
    trunkName: cost?.name ?? null,
    costMicros: cost?.costMicros ?? null,
    afterMicros: priceMicros,
    skipped,
    customers: customersOf(route.id),
    sums,
    effectMicros: priceMicros === null ? ZERO : effectOf(rate.priceMicros, priceMicros, sums.seconds),
  }
}

export const isChanged = ({ rate, afterMicros }: Pick<PlannedPrice, 'rate' | 'afterMicros'>): boolean =>
  afterMicros !== null && afterMicros !== rate.priceMicros

/** Counts and sums of a preview, without its customers. */
export function totalsOf(planned: readonly PlannedPrice[]) {
  const counts: Omit<PriceCounts, 'customers'> = {
    changed: 0,
    cuts: 0,
    rises: 0,
    below_cost: 0,
    unchanged: 0,
    skipped: 0,
  }
  let [calls, revenue, effect] = [0, 0n, 0n]
  for (const price of planned) {
    if (price.skipped !== null) counts.skipped++
    else if (!isChanged(price)) counts.unchanged++
    else {
      counts.changed++
      counts[(price.afterMicros ?? 0n) < price.rate.priceMicros ? 'cuts' : 'rises']++
      if (isBelowCost(price)) counts.below_cost++
      calls += price.sums.calls
      revenue += price.sums.revenueMicros
      effect += price.effectMicros
    }
  }
  return { counts, calls, revenueMicros: micros(revenue), effectMicros: micros(effect) }
}

const isBelowCost = ({ rate, costMicros }: PlannedPrice): boolean =>
  costMicros !== null && marginOf(rate, costMicros).marginMicros < 0n

export const exactRule = ({ percent, floor, lowest, step }: PricingRule): ExactRule => ({
  percentTenths: Math.round(percent * 10),
  floorMicros: microsOf(floor),
  lowestMicros: microsOf(lowest),
  stepMicros: microsOf(step),
})

const byCountry = (left: Route, right: Route): number =>
  compare(countryName(left.country), countryName(right.country)) ||
  compare(left.name, right.name) ||
  compare(left.planName, right.planName) ||
  left.id - right.id

const compare = (left: string, right: string): number => left.localeCompare(right, 'en')
