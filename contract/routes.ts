import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { GivenFlag, Id, Message } from './fields.ts'
import { PAGE_MAX, SEARCH_MAX } from './limits.ts'
import { messages, ownMessages } from './messages.ts'
import { GivenId, IdInAddress, IdInPath, Next, VersionInAddress } from './money.ts'
import {
  billing,
  ConnectFee,
  GivenCountry,
  Increment,
  named,
  PrefixRate,
  Price,
  RouteRateLines,
} from './rates.ts'

/** A trunk that costs more than the route's price, with an example prefix. Dollars per minute. */
export const DearerTrunk = z.object({
  id: Id,
  name: z.string(),
  prefix: z.string(),
  buy_rate: z.number(),
  price: z.number(),
})
export type DearerTrunk = z.output<typeof DearerTrunk>

/** Customers select one route per country. */
export const Route = z.object({
  id: Id,
  /** English name. */
  country: z.string(),
  country_code: z.string(),
  name: z.string(),
  planname: z.string(),
  /** Dollars per minute. 0 is free. */
  price: z.number(),
  is_premium: z.boolean(),
  ...billing,
  /** Prefix rates; the longest matching prefix wins. Limited to 20 in a list and 1,000 for one route. */
  rates: z.array(PrefixRate),
  rate_count: z.int(),
  /** In lists: summary of rates with another price than the route's own. Null if there are none. */
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
  /** Increases with every change. */
  version: z.int(),
  /** Administrators only: whether the route may use trunks above its price, and how many users selected it. */
  sells_below_cost: z.boolean().optional(),
  selected_by: z.int().optional(),
  /** Trunks of the route that cost more than its price for at least one prefix. */
  dearer_trunks: z.array(DearerTrunk).optional(),
})
export type Route = z.output<typeof Route>

export const SelectedRoute = z.object({ country: z.string(), country_code: z.string(), id: Id })
const Selection = z.object({
  /** The most recent selection. */
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

/** Defaults to the caller. Administrators can pass any user. */
const whose = { user_id: IdInAddress.optional() }

export const routes = {
  'GET /api/routes': {
    access: 'user',
    summary:
      'List all routes, or one page with filters. Administrators also see who selected a route and which trunks cost more than it earns',
    query: z.strictObject({
      country: GivenCountry.optional(),
      /** Part of a route or plan name. */
      search: z.string().trim().min(1).max(SEARCH_MAX).optional(),
      /** `next` of the previous page. */
      after: IdInAddress.optional(),
      /** With any of these parameters the answer is a page of at most 100. Without them it is the complete list. */
      limit: z.coerce.number<number>().int().min(1).max(PAGE_MAX).optional(),
    }),
    answer: z.object({ routes: z.array(Route), next: Next }),
  },
  'GET /api/routes/:id': {
    access: 'admin',
    summary: 'Get a route with its first 1,000 rates',
    params: IdInPath,
    answer: z.object({ route: Route }),
    refusals: ['not_found'],
  },
  'POST /api/routes': {
    access: 'admin',
    summary: 'Create a route',
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
    summary: 'Find the trunks that would cost more than a new route earns',
    body: z.strictObject({
      country: given.country,
      planname: given.planname,
      price: given.price,
      connect_fee: given.connect_fee.default(0),
      first_increment: given.first_increment.default(1),
      next_increment: given.next_increment.default(1),
      rates: given.rates.optional(),
    }),
    answer: z.object({
      dearer_trunks: z.array(DearerTrunk),
      /** Number of trunks that serve the plan in this country, including those above the price. */
      serving_trunks: z.int(),
    }),
  },
  'PATCH /api/routes/:id': {
    access: 'admin',
    summary:
      'Update a route. Only the given fields change. With `version` the request fails if someone else changed the route',
    forbidden: messages.onlyAdminUpdatesRoutes,
    params: IdInPath,
    body: z.strictObject(given).partial().extend({ version: z.int().positive().optional() }),
    answer: z.object({ route: Route }),
    refusals: ['not_found', 'changed_meanwhile'],
  },
  'DELETE /api/routes/:id': {
    access: 'admin',
    summary:
      'Delete a route. Users who selected it have no route for its country. With `version` the request fails if someone else changed the route',
    forbidden: messages.onlyAdminDeletesRoutes,
    params: IdInPath,
    query: z.strictObject({ version: VersionInAddress.optional() }),
    answer: Message,
    refusals: ['not_found', 'changed_meanwhile'],
  },
  'GET /api/user-selected-route': {
    access: 'user',
    summary: 'List the selected routes of a user, one for each country',
    query: z.strictObject(whose),
    answer: Selection,
    refusals: ['not_found'],
  },
  'POST /api/user-selected-route': {
    access: 'user',
    summary: 'Select a route for its country. Premium routes require a premium account',
    body: z.strictObject({ user_id: GivenId.optional(), route_id: GivenId }),
    answer: Selection.extend({ message: z.string() }),
    refusals: ['not_found', 'premium_only'],
  },
  'DELETE /api/user-selected-route': {
    access: 'user',
    summary: 'Deselect the route of a country',
    query: z.strictObject({ ...whose, country: GivenCountry }),
    answer: Selection.extend({ message: z.string() }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
