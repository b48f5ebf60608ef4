import type { Guards } from '@trunkline/contract/guards'
import { describe, expect, it } from 'vitest'
import { faultsFrom } from '../../../common/guards/limits-form.ts'
import type { OwnGuards } from '../queries.ts'
import { changeFrom, limitRows, typedFrom, validateOwnLimits } from './limits.ts'

const germany = { country: 'Germany', country_code: 'DE' }
const france = { country: 'France', country_code: 'FR' }

const ceiling: Guards = {
  max_concurrent_calls: 10,
  max_calls_per_second: 5,
  daily_spend: 50,
  max_price: 1,
  allowed_countries: null,
  blocked_countries: [],
  high_risk_allowed: true,
  calls_stopped: false,
}
const nothing: OwnGuards['own'] = {
  max_concurrent_calls: null,
  max_calls_per_second: null,
  daily_spend: null,
  max_price: null,
  allowed_countries: null,
  blocked_countries: null,
  high_risk_allowed: null,
  calls_stopped: null,
}
const untouched: OwnGuards = { effective: ceiling, ceiling, own: nothing }
const tightened: OwnGuards = {
  effective: {
    ...ceiling,
    daily_spend: 12.5,
    allowed_countries: [germany, france],
    high_risk_allowed: false,
  },
  ceiling,
  own: { ...nothing, daily_spend: 12.5, allowed_countries: [germany, france], high_risk_allowed: false },
}

describe('the limits in force', () => {
  it('come from the account if the customer has set none', () => {
    expect(limitRows(untouched)).toEqual([
      { name: 'Daily spend', value: '$50.00', setBy: 'account' },
      { name: 'Maximum price per minute', value: '$1.00 / min', setBy: 'account' },
      { name: 'Concurrent calls', value: '10', setBy: 'account' },
      { name: 'Calls per second', value: '5', setBy: 'account' },
      { name: 'Countries', value: 'All countries', setBy: 'account' },
      { name: 'Blocked countries', value: 'None', setBy: 'account' },
      { name: 'High-risk numbers', value: 'Allowed', setBy: 'account' },
    ])
  })

  it('mark the limits that the customer has set', () => {
    const own = limitRows(tightened).filter(({ setBy }) => setBy === 'you')
    expect(own.map(({ name, value }) => [name, value])).toEqual([
      ['Daily spend', '$12.50'],
      ['Countries', 'Germany, France'],
      ['High-risk numbers', 'Blocked'],
    ])
  })

  it('come from the account if its limit is lower', () => {
    const rows = limitRows({ ...untouched, own: { ...nothing, daily_spend: 80 } })
    expect(rows[0]).toEqual({ name: 'Daily spend', value: '$50.00', setBy: 'account' })
  })

  it('distinguish a price of 0 and an empty country list from no limit', () => {
    const effective = { ...ceiling, max_price: 0, allowed_countries: [] }
    const values = limitRows({ ...untouched, effective }).map(({ value }) => value)
    expect(values[1]).toBe('Free calls only')
    expect(values[4]).toBe('No countries')
  })
})

describe('the form', () => {
  it('starts with the customer’s limits and sends nothing if nothing changed', () => {
    expect(typedFrom(tightened)).toMatchObject({
      daily_spend: '12.5',
      max_price: '',
      allowed: ['DE', 'FR'],
      blocked: [],
      blocksHighRisk: true,
    })
    for (const guards of [untouched, tightened]) expect(changeFrom(typedFrom(guards), guards)).toEqual({})
  })

  it('sends changed limits, and null for cleared ones', () => {
    const typed = { ...typedFrom(tightened), daily_spend: ' ', max_price: '0.05', blocked: ['FR'] }
    expect(changeFrom({ ...typed, allowed: [], blocksHighRisk: false }, tightened)).toEqual({
      daily_spend: null,
      max_price: 0.05,
      allowed_countries: null,
      blocked_countries: ['FR'],
      high_risk_allowed: null,
    })
  })

  it('ignores the order of countries', () => {
    expect(changeFrom({ ...typedFrom(tightened), allowed: ['FR', 'DE'] }, tightened)).toEqual({})
  })

  it.each([
    ['daily_spend', '-1', 'Please enter an amount in dollars.'],
    ['daily_spend', 'ten', 'Please enter an amount in dollars.'],
    ['daily_spend', '0.0000001', 'Please enter an amount in dollars.'],
    ['daily_spend', '50.01', 'You can only set lower limits.'],
    ['max_price', 'x', 'Please enter a price in dollars per minute'],
    ['max_price', '1.5', 'You can only set lower limits.'],
    ['max_concurrent_calls', '1.5', 'Please enter a whole number.'],
    ['max_concurrent_calls', '11', 'You can only set lower limits.'],
    ['max_calls_per_second', '-2', 'Please enter a whole number.'],
  ] as const)('refuses %s of %s', (name, text, words) => {
    expect(validateOwnLimits({ ...typedFrom(untouched), [name]: text }, ceiling)).toEqual({
      [name]: expect.stringContaining(words),
    })
  })

  it('accepts the account limit, an empty field and zero', () => {
    const typed = { ...typedFrom(untouched), daily_spend: '50', max_price: '0', max_concurrent_calls: '' }
    expect(validateOwnLimits(typed, ceiling)).toEqual({})
  })

  it('assigns server errors to their fields', () => {
    expect(faultsFrom([{ field: 'allowed_countries.0', message: 'unknown' }])).toEqual({
      allowed_countries: 'unknown',
    })
  })
})
