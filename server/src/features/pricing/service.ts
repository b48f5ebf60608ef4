import { reasonTexts } from '@trunkline/contract/call-reasons'
import type { PricingRate, Quote } from '@trunkline/contract/pricing'
import { type Caller, ownDataOf, theHouse } from '@trunkline/domain/access'
import { admit, type CallerIdPolicy, cover, type RefusalReason } from '@trunkline/domain/callcontrol'
import { countryName } from '@trunkline/domain/countries'
import { subtract, toWireNumber, ZERO } from '@trunkline/domain/money'
import { type PhoneNumber, parseNumber } from '@trunkline/domain/numbers'
import { costOf, rateFor } from '@trunkline/domain/rating'
import type { Route } from '@trunkline/domain/routing'
import type { Database } from '../../platform/database.ts'
import { createCatalogue } from '../callcontrol/catalogue.ts'
import { readRoutes, readTrunks, readUsers } from '../callcontrol/catalogue-store.ts'
import type { Ledger } from '../ledger/service.ts'
import { createPrefixKinds, type Kind } from './prefix-kinds.ts'
import { pricingOf, ratesOf } from './price-list.ts'

export type Pricing = ReturnType<typeof createPricing>

const MINUTE_SECONDS = 60

/** What calls cost: the price list, and the price of one call. */
export function createPricing(db: Database, ledger: Ledger, callerIds: CallerIdPolicy) {
  // What is sold is for everybody to see; over whom it goes stays in here.
  const house = theHouse('pricing')
  const kindsOf = createPrefixKinds()

  /** The caller as call control knows them, with the one route that matters here. */
  async function knownTo(caller: Caller, number: PhoneNumber | null) {
    const owner = ownDataOf(caller)
    const users = await readUsers(db, owner, caller.userId)
    const routeId = number ? users[0]?.selected.get(number.country) : undefined
    const rates = { number: number?.e164 ?? '' }
    const routes = routeId === undefined ? [] : await readRoutes(db, house, { id: routeId, ...rates })
    const catalogue = createCatalogue(callerIds)
    catalogue.replaceAll({ users, phones: [], routes, trunks: await readTrunks(db, house, rates) })
    return { user: catalogue.userById(caller.userId), trunks: catalogue.trunks() }
  }

  /** Why the call would not be put through. Only lasting reasons count: a limit that is reached now may be free in a minute. */
  async function refusalOf(caller: Caller, number: PhoneNumber | null) {
    const { user, trunks } = await knownTo(caller, number)
    const decision = admit({
      ...{ user, number, trunks, usedOf: () => 0, liveCalls: 0, callsThisSecond: 0 },
      ...{ spentTodayMicros: ZERO, heldTodayMicros: ZERO, sliceSeconds: MINUTE_SECONDS },
    })
    if (!decision.ok) return { route: decision.route, reason: decision.reason }
    const { route, rate } = decision.terms
    const { balanceMicros, heldMicros } = await ledger.balanceOf(ownDataOf(caller), caller.userId)
    const isCovered = cover(rate, subtract(balanceMicros, heldMicros), MINUTE_SECONDS) !== null
    return { route, reason: isCovered ? null : ('no_balance' as const) }
  }

  return {
    list: async () => pricingOf(await readRoutes(db, house)),

    async rates(query: {
      country?: string | undefined
      type?: Kind | undefined
      limit: number
    }): Promise<PricingRate[]> {
      const routes = await readRoutes(db, house)
      return routes
        .filter(({ country }) => query.country === undefined || country === query.country)
        .sort((left, right) => left.id - right.id)
        .slice(0, query.limit)
        .flatMap((route) => ratesOf(route, kindsOf))
        .filter(({ type }) => query.type === undefined || type === query.type)
        .slice(0, query.limit)
    },

    async quote(caller: Caller, dialled: string): Promise<Quote> {
      const number = parseNumber(dialled)
      const { route, reason } = await refusalOf(caller, number)
      return {
        ...viewNumber(number),
        ...viewTerms(route, number),
        allowed: reason === null,
        reason,
        message: reason === null ? null : wordsFor(reason),
      }
    },
  }
}

const wordsFor = (reason: RefusalReason): string => reasonTexts[reason]

const viewNumber = (number: PhoneNumber | null) => ({
  number: number?.e164 ?? null,
  country: number && countryName(number.country),
  country_code: number?.country ?? null,
  line_type: number?.lineType ?? null,
})

function viewTerms(route: Route | null, number: PhoneNumber | null) {
  if (!route || !number) {
    const terms = { prefix: null, rate: null, connect_fee: null, first_increment: null, next_increment: null }
    return { route: null, ...terms, one_minute: null, five_minutes: null }
  }
  const { rate, prefix } = rateFor(route.rate, route.prefixRates, number.e164)
  return {
    route: { id: route.id, name: route.name, planname: route.planName },
    prefix,
    rate: toWireNumber(rate.priceMicros),
    connect_fee: toWireNumber(rate.connectFeeMicros),
    first_increment: rate.firstIncrement,
    next_increment: rate.nextIncrement,
    one_minute: toWireNumber(costOf(rate, MINUTE_SECONDS)),
    five_minutes: toWireNumber(costOf(rate, 5 * MINUTE_SECONDS)),
  }
}
