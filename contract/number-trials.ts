import { exclusionReasons, routingModes } from '@trunkline/domain/routing'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp } from './fields.ts'
import { enteredNumber } from './pricing.ts'
import { Rate } from './rates.ts'
import { HomeCountry } from './user-schemas.ts'

/** How one route would currently handle a call to the number. */
export const TriedRoute = z.object({
  id: Id,
  name: z.string(),
  planname: z.string(),
  is_premium: z.boolean(),
  sells_below_cost: z.boolean(),
  /** Dollars per minute for this number, and the matching prefix. Null for the route's own price. */
  price: z.number(),
  prefix: z.string().nullable(),
  /** The routing rule that orders the trunks; null without one. The order of a share changes with each call. */
  rule: z.object({ id: Id, mode: z.enum(routingModes), country_code: z.string().nullable() }).nullable(),
  /** In failover order. */
  trunks: z.array(
    z.object({
      id: Id,
      name: z.string(),
      is_primary: z.boolean(),
      buy_rate: Rate,
      /** The number sent to the carrier. */
      number: z.string(),
      used: z.int(),
      capacity: z.int(),
      /** Switches that get no answer from the trunk and skip it. */
      down_on: z.array(z.string()),
      /** Percentage of calls that try it first; null unless the rule has shares. */
      share: z.int().nullable(),
      /** Set while the trunk comes last because of its ASR. */
      demoted: z.object({ since: Timestamp, returns_at: Timestamp, asr: z.number() }).nullable(),
    }),
  ),
  left_out: z.array(z.object({ id: Id, name: z.string(), reason: z.enum(exclusionReasons), buy_rate: Rate })),
})
export type TriedRoute = z.output<typeof TriedRoute>

export const NumberTrial = z.object({
  ...enteredNumber,
  routes: z.array(TriedRoute),
})
export type NumberTrial = z.output<typeof NumberTrial>

export const numberTrials = {
  'GET /api/admin/try-number': {
    access: 'admin',
    summary:
      'Trace the route of a number. Shows the trunks of every route of its country and why other trunks are excluded',
    query: z.strictObject({
      number: z.string().trim().min(1).max(40),
      /** Home country of the caller, for national numbers. */
      home_country: HomeCountry.optional(),
    }),
    answer: z.object({ trial: NumberTrial }),
  },
} as const satisfies Endpoints
