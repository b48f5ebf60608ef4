import { routingModes } from '@trunkline/domain/routing'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, Timestamp } from './fields.ts'
import {
  RULE_MIN_CALLS_MAX,
  RULE_MIN_CALLS_MIN,
  RULE_REST_MINUTES_MAX,
  RULE_REST_MINUTES_MIN,
  RULE_TRUNKS_MAX,
  RULE_WINDOW_MINUTES,
  SIMULATED_DAYS_DEFAULT,
  SIMULATED_DAYS_MAX,
} from './limits.ts'
import { ownMessages } from './messages.ts'
import { GivenId, IdInPath, VersionInAddress } from './money.ts'
import { GivenCountry } from './rates.ts'

const whole = (min: number, max: number, error: string) => z.int(error).min(min, error).max(max, error)

/** A trunk with a lower ASR comes last for a while. Rules of a country count attempts to this country, other rules count all. */
const Quality = z.strictObject({
  /** Percent of attempts that are answered. */
  min_asr: whole(1, 100, ownMessages.thresholdInvalid),
  /** Fewer attempts within the window change nothing. */
  min_calls: whole(RULE_MIN_CALLS_MIN, RULE_MIN_CALLS_MAX, ownMessages.minCallsInvalid),
  window_minutes: z.literal(RULE_WINDOW_MINUTES),
  rest_minutes: whole(RULE_REST_MINUTES_MIN, RULE_REST_MINUTES_MAX, ownMessages.restInvalid),
})

export const RuleTrunkState = z.object({
  trunk_id: Id,
  trunk_name: z.string(),
  /** Attempts within the window, or since the demotion, and their ASR; null without attempts. */
  calls: z.int(),
  asr: z.number().nullable(),
  demoted_since: Timestamp.nullable(),
  returns_at: Timestamp.nullable(),
  /** The ASR that caused the demotion. */
  demoted_asr: z.number().nullable(),
  judged_at: Timestamp,
})
export type RuleTrunkState = z.output<typeof RuleTrunkState>

/** The order of trunks for a plan, or for a plan and a country. */
export const RoutingRule = z.object({
  id: Id,
  plan_id: Id,
  planname: z.string(),
  /** English name. Empty for all countries without a rule of their own. */
  country: z.string(),
  country_code: z.string().nullable(),
  mode: z.enum(routingModes),
  /** In their order. `percent` is null unless the mode is `share`. */
  trunks: z.array(z.object({ id: Id, name: z.string(), percent: z.int().nullable() })),
  quality: Quality.nullable(),
  /** One per trunk, if the rule has a threshold. The worker judges trunks every minute. */
  states: z.array(RuleTrunkState),
  /** Increases with every change. A change sends it back to detect conflicts. */
  version: z.int(),
  updated_at: Timestamp,
})
export type RoutingRule = z.output<typeof RoutingRule>

const draft = {
  plan_id: GivenId,
  country: GivenCountry.nullable(),
  mode: z.enum(routingModes),
  trunks: z
    .array(z.strictObject({ id: GivenId, percent: whole(1, 100, ownMessages.sharesInvalid).nullable() }))
    .max(RULE_TRUNKS_MAX),
  quality: Quality.nullable(),
}

type Draft = { mode: string; trunks: { id: number; percent: number | null }[] }

/** Each trunk once; percentages that sum to 100 for shares, none for other modes; no trunks for least cost. */
function checkTrunks({ mode, trunks }: Draft, context: z.RefinementCtx): void {
  const fail = (message: string) => context.addIssue({ code: 'custom', path: ['trunks'], message })
  if (new Set(trunks.map(({ id }) => id)).size < trunks.length) fail(ownMessages.trunkTwice)
  if (mode === 'cost' && trunks.length > 0) fail('must be empty if the cost decides')
  const sum = trunks.reduce((total, { percent }) => total + (percent ?? 0), 0)
  const hasPercents = trunks.every(({ percent }) => (percent === null) === (mode !== 'share'))
  if (!hasPercents || (mode === 'share' && sum !== 100)) fail(ownMessages.sharesInvalid)
}

const Sum = z.object({
  /** Calls whose first attempt is at this trunk. */
  calls: z.int(),
  /** Dollars that the carriers charge for the answered calls. */
  cost: z.number(),
})

export const RoutingSimulation = z.object({
  from: Timestamp,
  to: Timestamp,
  /** Calls of the period, and how many of them were replayed. Amounts cover replayed calls only. */
  calls: z.int(),
  replayed: z.int(),
  /** Replayed calls that no trunk could carry today. They count on neither side. */
  left_out: z.int(),
  /** Replayed calls with an attempt, answered ones, and dollars charged to customers. The same on both sides. */
  compared: z.int(),
  answered: z.int(),
  revenue: z.number(),
  /**
   * What happened, and what the draft would have changed. `first_asr`: percent of calls that the first trunk answers: measured before,
   * expected after.
   */
  before: Sum.extend({ margin: z.number(), first_asr: z.number().nullable() }),
  after: Sum.extend({
    margin: z.number(),
    first_asr: z.number().nullable(),
    /** Calls without figures of their first trunk. The expected ASR does not include them. */
    unknown: z.int(),
  }),
  trunks: z.array(
    z.object({
      id: Id,
      /** Null if the trunk does not exist any more. */
      name: z.string().nullable(),
      before: Sum,
      after: Sum,
      /** ASR of all attempts of the period; null without attempts. */
      asr: z.number().nullable(),
      attempts: z.int(),
      /** Minutes that the draft would have demoted it. */
      demoted_minutes: z.int(),
    }),
  ),
})
export type RoutingSimulation = z.output<typeof RoutingSimulation>

export const routingRules = {
  'GET /api/admin/routing-rules': {
    access: 'admin',
    summary: 'List the routing rules with the state of their trunks',
    answer: z.object({ rules: z.array(RoutingRule) }),
  },
  'PUT /api/admin/routing-rules': {
    access: 'admin',
    summary: 'Set the routing rule of a plan, or of a plan and a country. `version` is null for a new rule',
    body: z.strictObject({ ...draft, version: z.int().positive().nullable() }).superRefine(checkTrunks),
    answer: z.object({ rule: RoutingRule }),
    refusals: ['not_found', 'changed_meanwhile'],
  },
  'DELETE /api/admin/routing-rules/:id': {
    access: 'admin',
    summary: 'Delete a routing rule. With `version` the request fails if someone else changed the rule',
    params: IdInPath,
    query: z.strictObject({ version: VersionInAddress.optional() }),
    answer: Message,
    refusals: ['not_found', 'changed_meanwhile'],
  },
  'POST /api/admin/routing-rules/:id/return': {
    access: 'admin',
    summary: 'Return a demoted trunk of a routing rule to its place. Earlier attempts do not count again',
    params: IdInPath,
    body: z.strictObject({ trunk_id: GivenId }),
    answer: Message,
    refusals: ['not_found'],
  },
  'POST /api/admin/routing-rules/simulate': {
    access: 'admin',
    summary: 'Replay past calls with a draft of a routing rule and compare trunks, cost and expected ASR',
    body: z
      .strictObject({
        ...draft,
        days: z.int().min(1).max(SIMULATED_DAYS_MAX).default(SIMULATED_DAYS_DEFAULT),
      })
      .superRefine(checkTrunks),
    answer: z.object({ simulation: RoutingSimulation }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
