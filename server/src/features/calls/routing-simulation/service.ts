import { SIMULATED_CALLS_MAX } from '@trunkline/contract/limits'
import type { RoutingSimulation } from '@trunkline/contract/routing-rules'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import { QUARTER, type RoutingRule, startOfQuarter } from '@trunkline/domain/routing'
import { type Clock, DAY, earlier } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { runYielding } from '../../../platform/event-loop.ts'
import { dollars, percent } from '../../../platform/figures.ts'
import type { RoutingRules, RuleDraft } from '../../catalogue/routing-rules/service.ts'
import { readRoutes, readTrunks } from '../../catalogue/snapshot/store.ts'
import type { CallFigures } from '../figures/service.ts'
import { type AttemptCounts, countAttempts } from '../trunk-quality/store.ts'
import { demotionsIn, type Replay, replay } from './replay.ts'
import { countCalls, nameTrunks, sampleCalls } from './store.ts'

export type RoutingSimulations = ReturnType<typeof createRoutingSimulations>

type Deps = {
  db: Database
  clock: Clock
  figures: Pick<CallFigures, 'addSomeQueued'>
  rules: Pick<RoutingRules, 'check'>
  /** Perhaps a replica. */
  reports: Database
}

/** Replays past calls with a draft of a routing rule. */
export function createRoutingSimulations({ db, clock, figures, rules, reports }: Deps) {
  return {
    async run(caller: Caller, { days, ...draft }: RuleDraft & { days: number }): Promise<RoutingSimulation> {
      const scope = everyonesData(caller)
      await rules.check(db, caller, draft)
      await figures.addSomeQueued()
      const to = new Date(startOfQuarter(clock.now().getTime()) + QUARTER)
      const period = { from: earlier(to, days * DAY), to }
      const { plan_id: planId, country } = draft
      const rule = ruleOf(draft)
      const routes = await readRoutes(reports, { planId, ...(country !== null && { country }), numbers: [] })
      const routeIds = routes.map(({ id }) => id)
      const total = await countCalls(reports, scope, routeIds, period)
      const calls = await sampleCalls(reports, scope, routeIds, period, SIMULATED_CALLS_MAX)
      const trunks = await readTrunks(reports, {
        planId,
        numbers: [...new Set(calls.map(({ destination }) => destination))],
      })
      const trunkIds = trunks.map(({ id }) => id)
      const counts = await countAttempts(reports, scope, { trunkIds, country, ...period, withLive: false })
      const demotions = demotionsIn(rule, trunkIds, counts, period)
      const routesById = new Map(routes.map((route) => [route.id, route]))
      const sums = await runYielding(replay({ calls, routes: routesById, trunks, rule, counts, demotions }))
      const ids = [...new Set([...trunkIds, ...sums.trunks.keys()])]
      const names = await nameTrunks(reports, ids)
      return {
        from: period.from.toISOString(),
        to: period.to.toISOString(),
        calls: total,
        replayed: calls.length,
        ...viewSums(sums),
        trunks: ids
          .map((id) => ({
            id,
            name: names.get(id) ?? null,
            before: viewSum(sums.trunks.get(id)?.before),
            after: viewSum(sums.trunks.get(id)?.after),
            ...viewAttempts(counts, id),
            demoted_minutes: demotions.minutesOf(id),
          }))
          .sort(
            (left, right) => right.after.calls - left.after.calls || right.before.calls - left.before.calls,
          ),
      }
    },
  }
}

const ruleOf = ({ plan_id: planId, country, mode, trunks, quality }: RuleDraft): RoutingRule => ({
  id: 0,
  planId,
  country,
  mode,
  trunks,
  quality: quality && {
    minAsr: quality.min_asr,
    minCalls: quality.min_calls,
    windowMinutes: quality.window_minutes,
    restMinutes: quality.rest_minutes,
  },
})

const viewSum = (sum: { calls: number; costMicros: bigint } | undefined) => ({
  calls: sum?.calls ?? 0,
  cost: dollars(sum?.costMicros ?? 0n),
})

function viewAttempts(counts: AttemptCounts, id: number): { asr: number | null; attempts: number } {
  const sum = { calls: 0, answered: 0 }
  for (const { calls, answered } of counts.get(id) ?? []) {
    sum.calls += calls
    sum.answered += answered
  }
  return { asr: percent(sum.answered, sum.calls), attempts: sum.calls }
}

function viewSums(sums: Replay) {
  const { leftOut: left_out, compared, answered, revenueMicros, unknown } = sums
  const costOn = (side: 'before' | 'after') =>
    [...sums.trunks.values()].reduce((total, trunk) => total + trunk[side].costMicros, 0n)
  const side = (costMicros: bigint, first_asr: number | null) => ({
    calls: compared,
    cost: dollars(costMicros),
    margin: dollars(revenueMicros - costMicros),
    first_asr,
  })
  return {
    left_out,
    compared,
    answered,
    revenue: dollars(revenueMicros),
    before: side(costOn('before'), percent(sums.firstAnswered, compared)),
    after: { ...side(costOn('after'), percent(sums.expected, compared - unknown)), unknown },
  }
}
