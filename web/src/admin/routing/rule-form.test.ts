import type { Trunk } from '@trunkline/contract/trunks'
import { describe, expect, test } from 'vitest'
import { arranged, draftOf, remainderOf, trunksOf, validateRule, valuesOf } from './rule-form.ts'

const trunk = (id: number, more: Partial<Trunk> = {}): Trunk =>
  ({ id, name: `Trunk ${id}`, plans: ['Gold'], country_code: null, priority: 100 - id, ...more }) as Trunk
const serving = [trunk(1), trunk(2), trunk(3)]
const values = { ...valuesOf(null, '7') }

describe('the form of a routing rule', () => {
  test('offers the trunks of the plan, and for a country those that serve it', () => {
    const all = [...serving, trunk(4, { plans: ['Silver'] }), trunk(5, { country_code: 'FR' })]
    expect(trunksOf('Gold', '', all).map(({ id }) => id)).toEqual([5, 3, 2, 1])
    expect(trunksOf('Gold', 'DE', all).map(({ id }) => id)).toEqual([3, 2, 1])
  })

  test('lists chosen trunks first, and the others after them', () => {
    expect(arranged([3, 9], serving).map(({ id }) => id)).toEqual([3, 1, 2])
    expect(draftOf({ ...values, order: [2] }, serving).trunks.map(({ id }) => id)).toEqual([2, 1, 3])
  })

  test.each([
    [{ 1: '70', 2: '30' }, 0, true],
    [{ 1: '70', 2: ' 20 ' }, 10, false],
    [{ 1: '70', 2: '40' }, -10, false],
    [{ 1: '50.5', 2: '49.5' }, 0, false],
    [{ 1: 'x' }, Number.NaN, false],
    [{}, 100, false],
  ])('accepts only whole shares that sum to 100: %j', (shares, remainder, isValid) => {
    const typed = { ...values, mode: 'share' as const, shares }
    expect(remainderOf(shares, serving)).toBe(remainder)
    expect(validateRule(typed, serving).shares === undefined).toBe(isValid)
  })

  test('sends shares above zero, no trunks for least cost, and no threshold unless it is on', () => {
    const shares = { 1: '100', 2: '0', 3: '' }
    const draft = draftOf({ ...values, mode: 'share', shares }, serving)
    expect(draft).toMatchObject({
      plan_id: 7,
      country: null,
      trunks: [{ id: 1, percent: 100 }],
      quality: null,
    })
    expect(draftOf({ ...values, mode: 'cost' }, serving).trunks).toEqual([])
    expect(draftOf({ ...values, has_threshold: true }, serving).quality).toEqual({
      min_asr: 40,
      min_calls: 50,
      window_minutes: 60,
      rest_minutes: 30,
    })
  })

  test('checks the threshold only if it is on', () => {
    const wrong = { ...values, min_asr: '0', min_calls: '2', rest_minutes: 'soon' }
    expect(validateRule(wrong, serving)).toEqual({})
    expect(Object.keys(validateRule({ ...wrong, has_threshold: true }, serving))).toEqual([
      'min_asr',
      'min_calls',
      'rest_minutes',
    ])
  })
})
