import type { CountryCode } from '../countries/index.ts'
import type { Micros } from '../money/index.ts'
import type { Rate } from '../rating/index.ts'
import type { Route } from './route.ts'
import { buyRateFor, dialledFor, type Trunk } from './trunk.ts'

export type ChosenTrunk = {
  readonly trunk: Trunk
  readonly buyRateMicros: Micros
  /** As this carrier wants it. */
  readonly number: string
}

export type NoTrunkReason = 'no_trunk' | 'trunks_full' | 'below_cost'

export type TrunkChoice = { readonly chosen: readonly ChosenTrunk[]; readonly none?: NoTrunkReason }

export type TrunkQuestion = {
  readonly route: Pick<Route, 'planId' | 'sellsBelowCost'>
  /** What the call is sold at: the route's rate for this number. */
  readonly rate: Pick<Rate, 'priceMicros'>
  readonly e164: string
  readonly country: CountryCode
  readonly trunks: readonly Trunk[]
  readonly usedOf: (trunkId: number) => number
}

/** The trunks a call may take, in the order they are tried; with none, why. */
export function chooseTrunks(question: TrunkQuestion): TrunkChoice {
  const { e164 } = question
  const serving = question.trunks
    .filter((trunk) => serves(trunk, question))
    .map((trunk) => ({ trunk, buyRateMicros: buyRateFor(trunk, e164), number: dialledFor(trunk, e164) }))

  const hasRoom = ({ trunk }: ChosenTrunk) => roomOn(trunk, question)
  const paysItsWay = ({ buyRateMicros }: ChosenTrunk) => isEarned(buyRateMicros, question)

  const chosen = serving.filter((candidate) => hasRoom(candidate) && paysItsWay(candidate)).sort(inOrder)
  if (chosen.length > 0) return { chosen }
  if (serving.length === 0) return { chosen, none: 'no_trunk' }
  // The price is to blame where a dearer trunk has room, and where waiting for room would not help either.
  const isPriceToBlame = serving.some(hasRoom) || !serving.some(paysItsWay)
  return { chosen, none: isPriceToBlame ? 'below_cost' : 'trunks_full' }
}

export const leftOutReasons = [
  'other_plan',
  'other_country',
  'inactive',
  'below_cost',
  'full',
  'down',
] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

/** Why a call does not take this trunk; null where it may. A trunk that is down is not among those asked about. */
export function whyLeftOut(trunk: Trunk, question: TrunkQuestion): Exclude<LeftOutReason, 'down'> | null {
  if (!servesPlan(trunk, question)) return 'other_plan'
  if (!servesCountry(trunk, question)) return 'other_country'
  if (!trunk.isActive) return 'inactive'
  if (!isEarned(buyRateFor(trunk, question.e164), question)) return 'below_cost'
  return roomOn(trunk, question) ? null : 'full'
}

const serves = (trunk: Trunk, question: TrunkQuestion): boolean =>
  trunk.isActive && servesPlan(trunk, question) && servesCountry(trunk, question)

const servesPlan = ({ planIds }: Trunk, { route }: TrunkQuestion): boolean => planIds.has(route.planId)

const servesCountry = (trunk: Trunk, { country }: TrunkQuestion): boolean =>
  trunk.country === null || trunk.country === country

const roomOn = ({ id, capacity }: Trunk, { usedOf }: TrunkQuestion): boolean => usedOf(id) < capacity

const isEarned = (buyRateMicros: Micros, { route, rate }: TrunkQuestion): boolean =>
  route.sellsBelowCost || buyRateMicros <= rate.priceMicros

/** The country's primary, the general primary, then by priority, the cheaper first; the id settles the rest. */
const inOrder = (left: ChosenTrunk, right: ChosenTrunk): number =>
  primacy(left.trunk) - primacy(right.trunk) ||
  left.trunk.priority - right.trunk.priority ||
  Number(left.buyRateMicros - right.buyRateMicros) ||
  left.trunk.id - right.trunk.id

const primacy = ({ isPrimary, country }: Trunk): number => (!isPrimary ? 2 : country === null ? 1 : 0)
