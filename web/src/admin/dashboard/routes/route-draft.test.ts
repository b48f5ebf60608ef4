import type { Route } from '@trunkline/contract/routes'
import { describe, expect, it } from 'vitest'
import { merge } from '../../../common/forms/conflict.ts'
import { blankRoute, changeFrom, draftOf, readDraft, routeLabels, shownField } from './route-draft.ts'

const route: Route = {
  id: 7,
  country: 'Germany',
  country_code: 'DE',
  name: 'Berlin',
  planname: 'Gold',
  price: 0.0155,
  is_premium: false,
  connect_fee: 0,
  first_increment: 1,
  next_increment: 1,
  version: 3,
  rates: [{ prefix: '4915', price: 0.03, connect_fee: 0, first_increment: 1, next_increment: 1 }],
  rate_count: 1,
  sells_below_cost: false,
  selected_by: 2,
  dearer_trunks: [],
}
const typed = draftOf(route)

const read = (draft: typeof typed) => {
  const { route: typedRoute, errors } = readDraft(draft)
  expect(errors).toEqual({})
  return typedRoute
}

describe('a typed route', () => {
  it('has an error for every missing field', () => {
    expect(readDraft(blankRoute).errors).toEqual({
      country: 'Please choose a country from the list.',
      name: 'Please enter a plan name.',
      planname: 'Please choose a plan.',
      price: expect.stringContaining('Please enter a price'),
    })
  })

  it.each(['', '-1', 'abc', '0.0000001', '1001'])('rejects %j as a price', (price) => {
    expect(readDraft({ ...typed, price }).errors).toEqual({ price: expect.any(String) })
  })

  it('accepts a price of 0 and a plus before prefixes', () => {
    const rates = [{ ...typed.rates[0], prefix: ' +4917', price: '0' }] as typeof typed.rates
    expect(read({ ...typed, price: '0', rates })).toMatchObject({
      price: 0,
      rates: [{ prefix: '4917', price: 0 }],
    })
  })

  it('names the line of a prefix rate that is invalid or repeated', () => {
    const [rate] = typed.rates
    if (!rate) throw new Error('no rate')
    expect(
      readDraft({ ...typed, rates: [rate, rate, { ...rate, prefix: 'x', next_increment: '0' }] }).errors,
    ).toEqual({
      'rates.1.prefix': 'This prefix is already listed above.',
      'rates.2.prefix': 'Please enter a prefix of 1 to 15 digits.',
      'rates.2.next_increment': 'Please enter an increment from 1 to 3600 whole seconds.',
    })
  })
})

describe('an edit', () => {
  it('sends only changed fields, with the version', () => {
    expect(changeFrom(route, read({ ...typed, price: '0.02' }))).toEqual({ price: 0.02, version: 3 })
    expect(changeFrom(route, read({ ...typed, rates: [] }))).toEqual({ rates: [], version: 3 })
    expect(changeFrom(route, read(typed))).toBeNull()
  })

  it('keeps what was typed after a conflict and lists the changes of the other', () => {
    const latest = { ...route, price: 0.05, name: 'Munich', rates: [], version: 4 }
    const { values, changes } = merge({ ...typed, price: '0.02' }, draftOf(route), draftOf(latest), {
      labels: routeLabels,
      show: shownField,
    })
    expect(values).toEqual({ ...draftOf(latest), price: '0.02' })
    expect(changeFrom(latest, read(values))).toEqual({ price: 0.02, version: 4 })
    expect(changes).toEqual([
      { label: 'Plan name', was: 'Berlin', is: 'Munich' },
      { label: 'Price', was: '0.0155', is: '0.05' },
      { label: 'Rates by prefix', was: '1 rate', is: '0 rates' },
    ])
  })
})
