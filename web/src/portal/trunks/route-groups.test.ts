import type { Route } from '@trunkline/contract/routes'
import { describe, expect, it } from 'vitest'
import { finerPrices, groupByCountry, isLocked, nameOf, searchGroups, withRoute } from './route-groups.ts'

const route = (id: number, country: string, country_code: string, more: Partial<Route> = {}): Route => ({
  id,
  country,
  country_code,
  name: `route ${id}`,
  planname: `plan ${id}`,
  price: 0.01,
  is_premium: false,
  connect_fee: 0,
  first_increment: 1,
  next_increment: 1,
  rates: [],
  version: 1,
  rate_count: 0,
  ...more,
})
const routes = [
  route(1, 'United States', 'US', { price: 0.02 }),
  route(2, 'Côte d’Ivoire', 'CI'),
  route(3, 'United States', 'US'),
]
const chosen = { country: 'United States', country_code: 'US', id: 3 }
const selection = { selectedRoute: chosen, selectedRoutes: [chosen] }

describe('groupByCountry', () => {
  it('groups by country name, cheapest route first', () => {
    const groups = groupByCountry(routes, selection)
    expect(groups.map(({ country, code }) => [country, code])).toEqual([
      ['Côte d’Ivoire', 'CI'],
      ['United States', 'US'],
    ])
    expect(groups[1]?.routes.map(({ id }) => id)).toEqual([3, 1])
    expect(groups.map(({ selected }) => selected?.id ?? null)).toEqual([null, 3])
  })

  it('has no selection if it is unknown or its route is gone', () => {
    expect(groupByCountry(routes, undefined).every(({ selected }) => selected === null)).toBe(true)
    const gone = { selectedRoute: null, selectedRoutes: [{ ...chosen, id: 99 }] }
    expect(groupByCountry(routes, gone).every(({ selected }) => selected === null)).toBe(true)
  })
})

describe('searchGroups', () => {
  const found = (typed: string) =>
    searchGroups(groupByCountry(routes, selection), typed).map(({ code }) => code)

  it('finds a country by part of its name, its code, or a route', () => {
    expect(found('stat')).toEqual(['US'])
    expect(found('us')).toEqual(['US'])
    expect(found('PLAN 2')).toEqual(['CI'])
    expect(found(' ')).toEqual(['CI', 'US'])
    expect(found('nowhere')).toEqual([])
  })

  it('ignores accents', () => {
    expect(found('cote')).toEqual(['CI'])
  })
})

describe('withRoute', () => {
  it('replaces the route of one country and leaves the others', () => {
    const next = withRoute(selection, { country: 'Côte d’Ivoire', code: 'CI', id: 2 })
    expect(next.selectedRoutes.map(({ id }) => id)).toEqual([3, 2])
    expect(
      withRoute(next, { country: 'United States', code: 'US', id: 1 }).selectedRoutes.map(({ id }) => id),
    ).toEqual([2, 1])
  })

  it('removes the route of a country', () => {
    expect(withRoute(selection, { country: 'United States', code: 'US', id: null })).toEqual({
      selectedRoute: null,
      selectedRoutes: [],
    })
  })
})

it('locks premium routes for users without premium', () => {
  const premium = route(4, 'Spain', 'ES', { is_premium: true })
  expect(isLocked(premium, false)).toBe(true)
  expect(isLocked(premium, true)).toBe(false)
  expect(isLocked(route(5, 'Spain', 'ES'), false)).toBe(false)
})

it('shows the plan name, or the route name without one', () => {
  expect(nameOf({ planname: 'Gold', name: 'Spain Gold' })).toBe('Gold')
  expect(nameOf({ planname: '', name: 'Spain Gold' })).toBe('Spain Gold')
})

describe('finerPrices', () => {
  it('lists some prefixes with other prices, and their price range', () => {
    expect(finerPrices({ other_prices: null })).toBeNull()
    const one = { count: 1, from: 0.03, to: 0.03, prefixes: ['4915'] }
    expect(finerPrices({ other_prices: one })).toBe('+4915: $0.03 / min')
    const five = { count: 5, from: 0.02, to: 0.06, prefixes: ['4911', '4912', '4913'] }
    expect(finerPrices({ other_prices: five })).toBe('+4911, +4912, +4913 and 2 more: $0.02 to $0.06 / min')
  })
})
