import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { GivenFlag, Id, Message } from './fields.ts'
import { PAGE_MAX, SEARCH_MAX } from './limits.ts'
import { messages, ownMessages } from './messages.ts'
import { GivenId, IdInAddress, IdInPath, Next } from './money.ts'
import { ConnectFee, GivenCountry, Increment, named, Price, RouteRate, RouteRateLines } from './rates.ts'

/** A trunk that costs more than a route earns, with one prefix where it does; dollars per minute. */
export const DearerTrunk = z.object({
  id: Id,
  name: z.string(),
  prefix: z.string(),
  buy_rate: z.number(),
  price: z.number(),
})
export type DearerTrunk = z.output<typeof DearerTrunk>

/** What a customer picks for a country. */
export const Route = z.object({
  id: Id,
  /** English name. */
  country: z.string(),
  country_code: z.string(),
  name: z.string(),
  planname: z.string(),
  /** Dollars per minute; 0 is free. */
  price: z.number(),
  is_premium: z.boolean(),
  connect_fee: z.number(),
  /** Seconds: the first block is charged whole, then block after block. */
  first_increment: z.int(),
  next_increment: z.int(),
  /** Finer rates: the longest prefix that the number begins with wins. Of many only the first are here: 20 in a list, 1,000 of one route. */
  rates: z.array(RouteRate),
  rate_count: z.int(),
  /** In a list: the rates at another price than the route's own. Null where there are none. */
  other_prices: z
    .object({
      count: z.int(),
      from: z.number(),
      to: z.number(),
      /** The first three. */
      prefixes: z.array(z.string()),
    })
    .nullable()
    .optional(),
  /** Grows with every change. */
  version: z.int(),
  /** For administrators only: may it use trunks that cost more than it earns, who has it selected, and does that happen. */
  sells_below_cost: z.boolean().optional(),
  selected_by: z.int().optional(),
  /** Trunks that serve it and cost more than it earns, for some of its numbers at least. */
  dearer_trunks: z.array(DearerTrunk).optional(),
})
export type Route = z.output<typeof Route>

export const SelectedRoute = z.object({ country: z.string(), country_code: z.string(), id: Id })
const Selection = z.object({
  /** The latest that was selected. */
  selectedRoute: SelectedRoute.nullable(),
  /** One per country. */
  selectedRoutes: z.array(SelectedRoute),
})

const given = {
  country: GivenCountry,
  name: named(ownMessages.routeNameMissing),
  planname: named(ownMessages.planMissing),
  price: Price,
  is_premium: GivenFlag,
  connect_fee: ConnectFee,
  first_increment: Increment,
  next_increment: Increment,
  rates: RouteRateLines,
  sells_below_cost: GivenFlag,
}

/** Whose selection: the caller's own where nobody is named. Administrators may name anybody. */
const whose = { user_id: IdInAddress.optional() }

export const routes = {
  'GET /api/routes': {
    access: 'user',
    summary:
      'All routes, or a page of those asked for; administrators also see who has one selected and whether it earns its trunks',
    query: z.strictObject({
      country: GivenCountry.optional(),
      /** Part of the name of a route or plan. */
      search: z.string().trim().min(1).max(SEARCH_MAX).optional(),
      /** The `next` of the page before. */
      after: IdInAddress.optional(),
      /** With any of these the answer is a page of at most 100, without them it is the whole list. */
      limit: z.coerce.number<number>().int().min(1).max(PAGE_MAX).optional(),
    }),
    answer: z.object({ routes: z.array(Route), next: Next }),
  },
  'GET /api/routes/:id': {
    access: 'admin',
    summary: 'A route with its first 1,000 rates',
    params: IdInPath,
    answer: z.object({ route: Route }),
    refusals: ['not_found'],
  },
  'POST /api/routes': {
    access: 'admin',
    summary: 'Add a route',
    body: z.strictObject({
      ...given,
      is_premium: given.is_premium.default(false),
      connect_fee: given.connect_fee.default(0),
      first_increment: given.first_increment.default(1),
      next_increment: given.next_increment.default(1),
      rates: given.rates.optional(),
      sells_below_cost: given.sells_below_cost.default(false),
    }),
    answer: z.object({ route: Route }),
  },
  'POST /api/routes/check': {
    access: 'admin',
    summary: 'What a route would earn against the trunks of its plan, before it is saved',
    body: z.strictObject({
      country: given.country,
      planname: given.planname,
      price: given.price,
      rates: given.rates.optional(),
    }),
    answer: z.object({
      dearer_trunks: z.array(DearerTrunk),
      /** How many trunks serve the plan in this country, the dearer ones included. */
      serving_trunks: z.int(),
    }),
  },
  'PATCH /api/routes/:id': {
    access: 'admin',
    summary: 'Change a route: only what is given. With `version` it is refused when somebody else was faster',
    forbidden: messages.onlyAdminUpdatesRoutes,
    params: IdInPath,
    body: z.strictObject(given).partial().extend({ version: z.int().positive().optional() }),
    answer: z.object({ route: Route }),
    refusals: ['not_found', 'changed_meanwhile'],
  },
  'DELETE /api/routes/:id': {
    access: 'admin',
    summary:
      'Delete a route; whoever had it selected has none for its country then. With `version` it is refused when somebody else changed it meanwhile',
    forbidden: messages.onlyAdminDeletesRoutes,
    params: IdInPath,
    query: z.strictObject({ version: z.coerce.number<number>().int().positive().optional() }),
    answer: Message,
    refusals: ['not_found', 'changed_meanwhile'],
  },
  'GET /api/user-selected-route': {
    access: 'user',
    summary: 'The routes that a user has selected, one per country',
    query: z.strictObject(whose),
    answer: Selection,
    refusals: ['not_found'],
  },
  'POST /api/user-selected-route': {
    access: 'user',
    summary: 'Select a route for its country; premium routes are for premium users',
    body: z.strictObject({ user_id: GivenId.optional(), route_id: GivenId }),
    answer: Selection.extend({ message: z.string() }),
    refusals: ['not_found', 'premium_only'],
  },
  'DELETE /api/user-selected-route': {
    access: 'user',
    summary: 'Have no route for a country any more',
    query: z.strictObject({ ...whose, country: GivenCountry }),
    answer: Selection.extend({ message: z.string() }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
