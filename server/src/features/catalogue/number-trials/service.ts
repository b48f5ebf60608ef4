import type { NumberTrial, TriedRoute } from '@trunkline/contract/number-trials'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import { countryName } from '@trunkline/domain/countries'
import { toWireNumber } from '@trunkline/domain/money'
import { parseNumber } from '@trunkline/domain/numbers'
import { rateFor } from '@trunkline/domain/rating'
import {
  buyRateFor,
  chooseTrunks,
  exclusionReason,
  type Route,
  ruleFor,
  type Trunk,
} from '@trunkline/domain/routing'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { percent } from '../../../platform/figures.ts'
import { viewRate } from '../prefix-rates/wire.ts'
import { type Demotion, type RuleInForce, readRules } from '../routing-rules/store.ts'
import { readRoutes, readTrunks } from '../snapshot/store.ts'
import { listTrunks, type TrunkRow } from '../trunks/store.ts'
import { isDown } from '../trunks/view.ts'

export type NumberTrials = ReturnType<typeof createNumberTrials>

/** Previews the decision of call control about a call. */
export function createNumberTrials(db: Database, clock: Clock) {
  return {
    async try(caller: Caller, dialed: string, home: string | null): Promise<NumberTrial> {
      const number = parseNumber(dialed, home)
      if (!number) return { number: null, country: null, country_code: null, line_type: null, routes: [] }
      const owner = everyonesData(caller)
      const rates = { number: number.e164 }
      const routes = await readRoutes(db, { country: number.country, ...rates })
      const trunks = await readTrunks(db, rates)
      const rules = await readRules(db)
      const states = new Map((await listTrunks(db, owner, clock.now())).map((row) => [row.id, row]))
      return {
        number: number.e164,
        country: countryName(number.country),
        country_code: number.country,
        line_type: number.lineType,
        routes: routes
          .sort((left, right) => left.id - right.id)
          .map((route) => tryRoute(route, number.e164, trunks, states, rules)),
      }
    },
  }
}

/** The draw of an ordinary call, and of the first trunk of a share. */
const NO_TRIAL = 1

const viewDemotion = (demotion: Demotion | undefined): TriedRoute['trunks'][number]['demoted'] =>
  demotion
    ? {
        since: demotion.since.toISOString(),
        returns_at: demotion.returnsAt.toISOString(),
        asr: percent(demotion.answered, demotion.calls) ?? 0,
      }
    : null

function tryRoute(
  route: Route,
  e164: string,
  all: readonly Trunk[],
  states: ReadonlyMap<number, TrunkRow>,
  rules: readonly RuleInForce[],
): TriedRoute {
  const rule = ruleFor(rules, route.planId, route.country)
  const { rate, prefix } = rateFor(route.rate, route.prefixRates, e164)
  const usedOf = (id: number) => states.get(id)?.used ?? 0
  const isDead = ({ id }: Trunk) => isDown(states.get(id))
  const question = {
    route,
    rate,
    e164,
    country: route.country,
    usedOf,
    trunks: all.filter((one) => !isDead(one)),
    routing: rule ? { rule, demoted: new Set(rule.demotions.keys()), draw: NO_TRIAL } : null,
  }
  const { chosen } = chooseTrunks(question)
  return {
    id: route.id,
    name: route.name,
    planname: route.planName,
    is_premium: route.isPremium,
    sells_below_cost: route.sellsBelowCost,
    price: toWireNumber(rate.priceMicros),
    prefix,
    rule: rule ? { id: rule.id, mode: rule.mode, country_code: rule.country } : null,
    trunks: chosen.map(({ trunk, buyRate, number }) => ({
      id: trunk.id,
      name: trunk.name,
      is_primary: trunk.isPrimary,
      buy_rate: viewRate(buyRate),
      number,
      used: usedOf(trunk.id),
      capacity: trunk.capacity,
      down_on: (states.get(trunk.id)?.health ?? []).filter(({ is_up }) => !is_up).map((each) => each.switch),
      share: rule?.trunks.find(({ id }) => id === trunk.id)?.percent ?? null,
      demoted: viewDemotion(rule?.demotions.get(trunk.id)),
    })),
    left_out: all.flatMap((trunk) => {
      // `down` is the last reason, for trunks that would be used if they answered.
      const reason = exclusionReason(trunk, question) ?? (isDead(trunk) ? 'down' : null)
      if (reason === null) return []
      return { id: trunk.id, name: trunk.name, reason, buy_rate: viewRate(buyRateFor(trunk, e164)) }
    }),
  }
}
