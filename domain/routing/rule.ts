import type { CountryCode } from '../countries/index.ts'
import { costOfMinute } from '../rating/index.ts'
import type { Quality } from './quality.ts'
import type { ChosenTrunk } from './trunk.ts'

/**
 * `order`: the named trunks in their order, then the others as without a rule.
 * `cost`: the cheapest minute first.
 * `share`: the first trunk by percentage, then the others by cost.
 */
export const routingModes = ['order', 'cost', 'share'] as const
export type RoutingMode = (typeof routingModes)[number]

export type RoutingRule = {
  readonly id: number
  readonly planId: number
  /** Null for all countries without a rule of their own. */
  readonly country: CountryCode | null
  readonly mode: RoutingMode
  /** In their order. `percent` is null unless the mode is `share`. */
  readonly trunks: readonly { readonly id: number; readonly percent: number | null }[]
  readonly quality: Quality | null
}

/** The rule of a call, the trunks that it demotes, and the number that decides shares and trial calls. */
export type Routing = {
  readonly rule: RoutingRule
  readonly demoted: ReadonlySet<number>
  readonly draw: number
}

/** One of so many calls ignores demotions, so that a demoted trunk can show that it works again. */
export const TRIAL_EVERY = 20

/** A number from 0 to 2^32 - 1. The same call gets the same number from every call control (FNV-1a, then a mix of its bits). */
export function drawOf(callId: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < callId.length; at++) hash = Math.imul(hash ^ callId.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

export const isTrialCall = ({ draw }: Pick<Routing, 'draw'>): boolean => draw % TRIAL_EVERY === 0

/** The rule of the plan for the country, or the rule of the plan. */
export const ruleFor = <Rule extends Pick<RoutingRule, 'planId' | 'country'>>(
  rules: readonly Rule[],
  planId: number,
  country: CountryCode,
): Rule | undefined => {
  const ofPlan = rules.filter((rule) => rule.planId === planId)
  return ofPlan.find((rule) => rule.country === country) ?? ofPlan.find((rule) => rule.country === null)
}

/** Orders trunks that are already in the order without a rule. Demoted trunks come last, except in trial calls. */
export function applyRule(ranked: readonly ChosenTrunk[], routing: Routing): ChosenTrunk[] {
  const { rule, demoted } = routing
  const isDemoted = ({ trunk }: ChosenTrunk) => demoted.has(trunk.id) && !isTrialCall(routing)
  // The draw above the trial calls, so that trial calls have the same shares as others.
  const draw = Math.floor(routing.draw / TRIAL_EVERY)
  const healthy = ranked.filter((each) => !isDemoted(each))
  return [...arrange(healthy, rule, draw), ...arrange(ranked.filter(isDemoted), rule, draw)]
}

function arrange(ranked: readonly ChosenTrunk[], rule: RoutingRule, draw: number): ChosenTrunk[] {
  if (rule.mode === 'order') return inOrder(ranked, rule)
  const byCost = ranked.toSorted((left, right) =>
    Number(costOfMinute(left.buyRate) - costOfMinute(right.buyRate)),
  )
  const first = rule.mode === 'share' ? byShare(byCost, rule, draw) : undefined
  return first ? [first, ...byCost.filter((each) => each !== first)] : byCost
}

function inOrder(ranked: readonly ChosenTrunk[], { trunks }: RoutingRule): ChosenTrunk[] {
  const places = new Map(trunks.map(({ id }, place) => [id, place]))
  const placeOf = ({ trunk }: ChosenTrunk) => places.get(trunk.id) ?? trunks.length
  return ranked.toSorted((left, right) => placeOf(left) - placeOf(right))
}

/** The share of an unusable trunk goes to the others in proportion. */
function byShare(
  usable: readonly ChosenTrunk[],
  { trunks }: RoutingRule,
  draw: number,
): ChosenTrunk | undefined {
  const shares = trunks.flatMap(({ id, percent }) => {
    const candidate = usable.find(({ trunk }) => trunk.id === id)
    return candidate && percent ? [{ candidate, percent }] : []
  })
  let point =
    draw %
    Math.max(
      1,
      shares.reduce((sum, { percent }) => sum + percent, 0),
    )
  for (const { candidate, percent } of shares) {
    if (point < percent) return candidate
    point -= percent
  }
  return undefined
}
