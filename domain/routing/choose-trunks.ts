import type { CountryCode } from '../countries/index.ts'
import { costOfMinute, type Rate } from '../rating/index.ts'
import type { Route } from './route.ts'
import { applyRule, type Routing } from './rule.ts'
import { buyRateFor, type ChosenTrunk, carrierNumber, type Trunk } from './trunk.ts'

export type NoTrunkReason = 'no_trunk' | 'trunks_full' | 'below_cost'

export type TrunkChoice = { readonly chosen: readonly ChosenTrunk[]; readonly none?: NoTrunkReason }

export type TrunkQuery = {
  readonly route: Pick<Route, 'planId' | 'sellsBelowCost'>
  /** The selling rate of the route for this number. */
  readonly rate: Rate
  readonly e164: string
  readonly country: CountryCode
  readonly trunks: readonly Trunk[]
  readonly usedOf: (trunkId: number) => number
  /** The routing rule of the plan, if there is one. It changes the order only. */
  readonly routing?: Routing | null
}

/** The trunks for a call in failover order, or the reason why there are none. */
export function chooseTrunks(query: TrunkQuery): TrunkChoice {
  const { e164 } = query
  const serving = query.trunks
    .filter((trunk) => serves(trunk, query))
    .map((trunk) => ({ trunk, buyRate: buyRateFor(trunk, e164), number: carrierNumber(trunk, e164) }))

  const hasRoom = ({ trunk }: ChosenTrunk) => hasFreeChannel(trunk, query)
  const isProfitable = ({ buyRate }: ChosenTrunk) => isWithinPrice(buyRate, query)

  const chosen = serving
    .filter((candidate) => hasRoom(candidate) && isProfitable(candidate))
    .sort(byPreference)
  if (chosen.length > 0) return { chosen: query.routing ? applyRule(chosen, query.routing) : chosen }
  if (serving.length === 0) return { chosen, none: 'no_trunk' }
  // With free channels only on expensive trunks, or no affordable trunk at all, more capacity would not help.
  const isBelowCost = serving.some(hasRoom) || !serving.some(isProfitable)
  return { chosen, none: isBelowCost ? 'below_cost' : 'trunks_full' }
}

export const exclusionReasons = [
  'other_plan',
  'other_country',
  'inactive',
  'below_cost',
  'full',
  'down',
] as const
export type ExclusionReason = (typeof exclusionReasons)[number]

/** Why a call skips this trunk, or null if it does not. The caller checks whether the trunk is down. */
export function exclusionReason(trunk: Trunk, query: TrunkQuery): Exclude<ExclusionReason, 'down'> | null {
  if (!servesPlan(trunk, query)) return 'other_plan'
  if (!servesCountry(trunk, query)) return 'other_country'
  if (!trunk.isActive) return 'inactive'
  if (!isWithinPrice(buyRateFor(trunk, query.e164), query)) return 'below_cost'
  return hasFreeChannel(trunk, query) ? null : 'full'
}

const serves = (trunk: Trunk, query: TrunkQuery): boolean =>
  trunk.isActive && servesPlan(trunk, query) && servesCountry(trunk, query)

const servesPlan = ({ planIds }: Trunk, { route }: TrunkQuery): boolean => planIds.has(route.planId)

const servesCountry = (trunk: Trunk, { country }: TrunkQuery): boolean =>
  trunk.country === null || trunk.country === country

const hasFreeChannel = ({ id, capacity }: Trunk, { usedOf }: TrunkQuery): boolean => usedOf(id) < capacity

const isWithinPrice = (buyRate: Rate, { route, rate }: TrunkQuery): boolean =>
  route.sellsBelowCost || costOfMinute(buyRate) <= costOfMinute(rate)

/** The country's primary trunk, the general primary trunk, then by priority, cost of a minute and id. */
const byPreference = (left: ChosenTrunk, right: ChosenTrunk): number =>
  primaryRank(left.trunk) - primaryRank(right.trunk) ||
  left.trunk.priority - right.trunk.priority ||
  Number(costOfMinute(left.buyRate) - costOfMinute(right.buyRate)) ||
  left.trunk.id - right.trunk.id

const primaryRank = ({ isPrimary, country }: Trunk): number => (!isPrimary ? 2 : country === null ? 1 : 0)
