import type { RequestOf } from '@trunkline/contract'
import { INCREMENT_MAX_SECONDS, PRICE_MAX_DOLLARS } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { Route } from '@trunkline/contract/routes'
import { countryName } from '@trunkline/domain/countries'
import { toMicros } from '../../../common/dollars.ts'
import type { FieldErrors } from '../../../common/forms/use-form.ts'

export type RateDraft = {
  prefix: string
  price: string
  connect_fee: string
  first_increment: string
  next_increment: string
}
export type RouteDraft = Omit<RateDraft, 'prefix'> & {
  /** Country code. */
  country: string
  name: string
  planname: string
  is_premium: boolean
  sells_below_cost: boolean
  rates: readonly RateDraft[]
}

export type NewRoute = Required<Omit<RequestOf<'POST /api/routes'>['body'], 'rates'>> & {
  rates: Route['rates']
}
type RouteChange = RequestOf<'PATCH /api/routes/:id'>['body']

/** A field of a prefix rate, named as the server names it. */
export type RateField = `rates.${number}.${keyof RateDraft}`
export type Errors = FieldErrors<keyof RouteDraft | RateField>

export const blankRate: RateDraft = {
  prefix: '',
  price: '',
  connect_fee: '0',
  first_increment: '1',
  next_increment: '1',
}

export const blankRoute: RouteDraft = {
  country: '',
  name: '',
  planname: '',
  price: '',
  is_premium: false,
  sells_below_cost: false,
  connect_fee: '0',
  first_increment: '1',
  next_increment: '1',
  rates: [],
}

const figuresOf = (rate: Omit<Route['rates'][number], 'prefix'>) => ({
  price: String(rate.price),
  connect_fee: String(rate.connect_fee),
  first_increment: String(rate.first_increment),
  next_increment: String(rate.next_increment),
})

export const draftOf = (route: Route): RouteDraft => ({
  country: route.country_code,
  name: route.name,
  planname: route.planname,
  is_premium: route.is_premium,
  sells_below_cost: route.sells_below_cost ?? false,
  ...figuresOf(route),
  rates: route.rates.map((rate) => ({ prefix: rate.prefix, ...figuresOf(rate) })),
})

/** The route that was typed, and what is wrong with it. An invalid number reads as 0. */
export function readDraft(draft: RouteDraft): { route: NewRoute; errors: Errors } {
  const errors: Errors = {}
  const read = (rate: Omit<RateDraft, 'prefix'>, at: '' | `rates.${number}.`) => ({
    price: dollarsIn(rate.price) ?? addError(`${at}price`, ownMessages.priceInvalid),
    connect_fee: dollarsIn(rate.connect_fee) ?? addError(`${at}connect_fee`, ownMessages.feeInvalid),
    first_increment:
      secondsIn(rate.first_increment) ?? addError(`${at}first_increment`, ownMessages.incrementInvalid),
    next_increment:
      secondsIn(rate.next_increment) ?? addError(`${at}next_increment`, ownMessages.incrementInvalid),
  })
  function addError(field: keyof Errors, message: string): number {
    errors[field] = message
    return 0
  }

  if (draft.country === '') addError('country', ownMessages.countryUnknown)
  if (draft.name.trim() === '') addError('name', ownMessages.routeNameMissing)
  if (draft.planname === '') addError('planname', ownMessages.planMissing)
  const route: NewRoute = {
    country: draft.country,
    name: draft.name.trim(),
    planname: draft.planname,
    is_premium: draft.is_premium,
    sells_below_cost: draft.sells_below_cost,
    ...read(draft, ''),
    rates: draft.rates.map((rate, at) => ({
      prefix: rate.prefix.trim().replace(/^\+/, ''),
      ...read(rate, `rates.${at}.`),
    })),
  }
  for (const [at, { prefix }] of route.rates.entries()) {
    if (!/^\d{1,15}$/.test(prefix)) addError(`rates.${at}.prefix`, ownMessages.prefixInvalid)
    else if (route.rates.findIndex((other) => other.prefix === prefix) < at)
      addError(`rates.${at}.prefix`, 'This prefix is already listed above.')
  }
  return { route, errors }
}

function dollarsIn(typed: string): number | null {
  const figure = typed.trim() === '' ? Number.NaN : Number(typed)
  return figure >= 0 && figure <= PRICE_MAX_DOLLARS && toMicros(figure) !== null ? figure : null
}

function secondsIn(typed: string): number | null {
  const figure = Number(typed)
  return Number.isInteger(figure) && figure >= 1 && figure <= INCREMENT_MAX_SECONDS ? figure : null
}

const fields = [
  'country',
  'name',
  'planname',
  'price',
  'is_premium',
  'connect_fee',
  'first_increment',
  'next_increment',
  'rates',
  'sells_below_cost',
] as const
type FieldName = (typeof fields)[number]

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** The saved route in the shape of the request. */
const sentForm = (route: Route): NewRoute => ({
  country: route.country_code,
  name: route.name,
  planname: route.planname,
  price: route.price,
  is_premium: route.is_premium,
  connect_fee: route.connect_fee,
  first_increment: route.first_increment,
  next_increment: route.next_increment,
  rates: sorted(route.rates),
  sells_below_cost: route.sells_below_cost ?? false,
})

const sorted = (rates: Route['rates']): Route['rates'] =>
  rates
    .map(({ prefix, price, connect_fee, first_increment, next_increment }) => ({
      prefix,
      price,
      connect_fee,
      first_increment,
      next_increment,
    }))
    .toSorted((left, right) => (left.prefix < right.prefix ? -1 : 1))

/** Only changed fields, with the version; null without a change. */
export function changeFrom(before: Route, after: NewRoute): RouteChange | null {
  const old = sentForm(before)
  const now = { ...after, rates: sorted(after.rates) }
  const changed = fields.filter((field) => !isSame(old[field], now[field]))
  if (changed.length === 0) return null
  return { ...Object.fromEntries(changed.map((field) => [field, now[field]])), version: before.version }
}

/** Does the change affect price or cost? */
export const changesEarnings = (change: RouteChange): boolean =>
  (
    ['country', 'planname', 'price', 'connect_fee', 'first_increment', 'next_increment', 'rates'] as const
  ).some((field) => change[field] !== undefined)

export const routeLabels: Readonly<Record<FieldName, string>> = {
  country: 'Country',
  name: 'Plan name',
  planname: 'Route/Plan',
  price: 'Price',
  is_premium: 'Premium',
  connect_fee: 'Connect fee',
  first_increment: 'First increment',
  next_increment: 'Next increment',
  rates: 'Rates by prefix',
  sells_below_cost: 'Selling below cost',
}

export function shownField(name: keyof RouteDraft, draft: RouteDraft): string {
  const value = draft[name]
  if (name === 'country') return countryName(draft.country)
  if (name === 'rates') return `${draft.rates.length} ${draft.rates.length === 1 ? 'rate' : 'rates'}`
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
}
