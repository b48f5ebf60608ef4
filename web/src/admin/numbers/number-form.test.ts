import { describe, expect, test } from 'vitest'
import { BLANK, changedIn, newNumber, validateNumber } from './number-form.ts'

const typed = { ...BLANK, number: '+442079460123', monthly: '2.50', tags: 'gold, , vip, gold' }

describe('the form of a number', () => {
  test('sends amounts as numbers and each tag once', () => {
    expect(newNumber(typed)).toMatchObject({
      number: '+442079460123',
      country: null,
      trunk_id: null,
      monthly: 2.5,
      setup: 0,
      max_calls: 10,
      tags: ['gold', 'vip'],
    })
  })

  test('sends only what was changed', () => {
    expect(changedIn(typed, { ...typed, monthly: ' 2.5 ', tags: 'gold,vip' })).toBeNull()
    expect(changedIn(typed, { ...typed, trunk_id: '7', cost: '0.004' })).toEqual({ trunk_id: 7, cost: 0.004 })
  })

  test('names each invalid field', () => {
    expect(validateNumber(typed)).toEqual({})
    const faults = validateNumber({
      ...BLANK,
      monthly: '-1',
      setup: '10001',
      price: 'cheap',
      cost: '0.0000001',
      max_calls: '0',
    })
    expect(Object.keys(faults).sort()).toEqual(['cost', 'max_calls', 'monthly', 'number', 'price', 'setup'])
  })
})
