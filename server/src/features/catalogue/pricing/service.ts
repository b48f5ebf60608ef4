import type { AnswerOf } from '@trunkline/contract'
import { reasonTexts } from '@trunkline/contract/call-reasons'
import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import type { PricingRate, Quote } from '@trunkline/contract/pricing'
import { type Caller, ownDataOf, system } from '@trunkline/domain/access'
import {
  admit,
  admitEmergency,
  admitInternal,
  type CallerIdPolicy,
  cover,
  type RefusalReason,
} from '@trunkline/domain/callcontrol'
import { countryName, INTERNATIONAL } from '@trunkline/domain/countries'
import { subtract, toWireNumber, ZERO } from '@trunkline/domain/money'
import { emergencyNumber, type PhoneNumber, parseNumber } from '@trunkline/domain/numbers'
import { costOf, rateFor } from '@trunkline/domain/rating'
import type { Route } from '@trunkline/domain/routing'
import { createByVersion } from '../../../platform/by-version.ts'
import type { Database } from '../../../platform/database.ts'
import { Shared } from '../../../platform/handler.ts'
import type { Timers } from '../../../platform/timers.ts'
import type { Ledger } from '../../money/ledger/service.ts'
import { viewBilling } from '../prefix-rates/wire.ts'
import { routesVersion } from '../routes/list-store.ts'
import { createCatalogue } from '../snapshot/catalogue.ts'
import { readInternalPrice, readNumbers } from '../snapshot/numbers-store.ts'
import { readEmergencyRoute, readRoutes, readTrunks, readUsers } from '../snapshot/store.ts'
import { createDearestRates, type DearestRates } from './dearest-rates.ts'
import type { Kind } from './prefix-kinds.ts'
import { pricingOf, viewRate } from './price-list.ts'
import { listCountryPrices, listPricedRoutes } from './store.ts'

type RatesQuery = { country?: string | undefined; type?: Kind | undefined; limit: number }

type Deps = { db: Database; ledger: Ledger; callerIds: CallerIdPolicy; timers: Timers }

export type Pricing = ReturnType<typeof createPricing>

const MINUTE_SECONDS = 60
/** Below the client timeout of ten seconds. */
const RATES_WAIT_MS = 8_000

/** The price list and quotes for single calls. */
export function createPricing({ db, ledger, callerIds, timers }: Deps) {
  // Prices are public. Trunks are not part of the answers.
  const listByVersion = createByVersion<Shared<AnswerOf<'GET /api/pricing'>>>()
  const dearestOf = createDearestRates(db)

  /** Long price lists take minutes after a start. Requests fail with a timeout while the computation continues. */
  async function inTime<Result>(work: Promise<Result>): Promise<Result> {
    let stop = () => {}
    const tooLate = new Promise<never>((_, reject) => {
      stop = timers.after(RATES_WAIT_MS, () => reject(new Refusal('unavailable', ownMessages.pricesNotReady)))
    })
    return Promise.race([work, tooLate]).finally(stop)
  }

  const factsOf = async (caller: Caller) =>
    (await readUsers(db, ownDataOf(caller), caller.userId)).find(({ id }) => id === caller.userId)
  type Facts = Awaited<ReturnType<typeof factsOf>>

  /** The caller as in call control, with the route for this number. */
  async function knownTo(facts: Facts, number: PhoneNumber | null) {
    const routeId = number ? facts?.selected.get(number.country) : undefined
    const rates = { number: number?.e164 ?? '' }
    const routes = routeId === undefined ? [] : await readRoutes(db, { id: routeId, ...rates })
    const catalogue = createCatalogue(callerIds)
    catalogue.replaceAll({
      users: facts ? [facts] : [],
      phones: [],
      routes,
      trunks: await readTrunks(db, rates),
      emergency: await readEmergencyRoute(db),
      // The order of trunks does not change a quote.
      rules: [],
      numbers: [],
      carriers: [],
      flows: [],
      internalPriceMicros: ZERO,
    })
    return { catalogue, user: facts ? catalogue.userById(facts.id) : null, trunks: catalogue.trunks() }
  }

  /** Emergency calls are free, so the quote only shows whether they are possible. */
  async function refusalOfEmergency(facts: Facts, dialed: string) {
    const { catalogue, user } = await knownTo(facts, null)
    const route = catalogue.emergency()
    const decision = admitEmergency({
      user,
      dialed,
      route,
      country: facts?.homeCountry ?? INTERNATIONAL,
      liveCalls: 0,
      trunk: catalogue.trunk(route?.trunkId ?? -1),
      sliceSeconds: MINUTE_SECONDS,
    })
    return { route: null, reason: decision.ok ? null : decision.reason }
  }

  /** Why the call would be refused. Ignores temporary reasons, such as the number of concurrent calls. */
  async function refusalOf(caller: Caller, facts: Facts, number: PhoneNumber | null) {
    const { user, trunks } = await knownTo(facts, number)
    const request = {
      user,
      liveCalls: 0,
      callsThisSecond: 0,
      spentTodayMicros: ZERO,
      heldTodayMicros: ZERO,
      sliceSeconds: MINUTE_SECONDS,
    }
    const [called] = number ? await readNumbers(db, system('quotes'), { e164: number.e164 }) : []
    const decision =
      called && number
        ? admitInternal({ ...request, called, number, priceMicros: await readInternalPrice(db) })
        : admit({ ...request, number, trunks, usedOf: () => 0 })
    if (!decision.ok) return { route: decision.route, reason: decision.reason }
    const { route, rate } = decision.terms
    const { balanceMicros, heldMicros } = await ledger.balanceOf(ownDataOf(caller), caller.userId)
    const isCovered = cover(rate, subtract(balanceMicros, heldMicros), MINUTE_SECONDS) !== null
    return { route, reason: isCovered ? null : ('no_balance' as const) }
  }

  return {
    /** Serialized once per version of the catalogue. */
    async list(): Promise<Shared<AnswerOf<'GET /api/pricing'>>> {
      const version = await routesVersion(db)
      return listByVersion(
        version,
        async () => new Shared({ pricing: pricingOf(await listCountryPrices(db)) }),
      )
    },

    async rates({ country, type, limit }: RatesQuery): Promise<PricingRate[]> {
      const kinds = type ? [type] : (['landline', 'mobile'] as const)
      const routes = await listPricedRoutes(db, {
        country,
        limit: Math.ceil(limit / kinds.length),
      })
      const dearest = await inTime(Promise.all(routes.map(dearestOf)))
      return routes
        .flatMap((route, at) => kinds.map((kind) => viewRate(route, kind, dearest[at] as DearestRates)))
        .slice(0, limit)
    },

    /** Why a call to this number cannot be forwarded. Forwarded calls have a caller ID of their own. */
    async forwardRefusal(caller: Caller, e164: string): Promise<'no_route' | 'no_balance' | null> {
      const facts = await factsOf(caller)
      const withCallerId = facts && { ...facts, callerId: e164, isCallerIdApproved: true }
      const { reason } = await refusalOf(caller, withCallerId, parseNumber(`+${e164}`))
      if (reason === null || reason === 'no_balance') return reason
      return LASTING.includes(reason) ? 'no_route' : null
    },

    async quote(caller: Caller, dialed: string): Promise<Quote> {
      const facts = await factsOf(caller)
      const number = parseNumber(dialed, facts?.homeCountry)
      const emergency = emergencyNumber(dialed, facts?.homeCountry)
      const { route, reason } =
        emergency === null
          ? await refusalOf(caller, facts, number)
          : await refusalOfEmergency(facts, emergency)
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

/** Reasons that the customer or the provider has to change. Others pass, such as the limit of concurrent calls. */
const LASTING: readonly RefusalReason[] = [
  'unknown_number',
  'country_blocked',
  'high_risk_blocked',
  'no_route',
  'premium_route',
  'price_above_limit',
  'no_trunk',
  'below_cost',
]

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
    ...viewBilling(rate),
    one_minute: toWireNumber(costOf(rate, MINUTE_SECONDS)),
    five_minutes: toWireNumber(costOf(rate, 5 * MINUTE_SECONDS)),
  }
}
