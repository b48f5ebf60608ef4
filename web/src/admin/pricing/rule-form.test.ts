import { describe, expect, it } from 'vitest'
import { FIRST_RULE, faultsIn, ruleOf } from './rule-form.ts'

describe('the rule as typed', () => {
  it('becomes numbers, with zero for an empty field', () => {
    expect(ruleOf({ ...FIRST_RULE, percent: ' 12.5 ', floor: '', lowest: '0.000001' })).toEqual({
      percent: 12.5,
      floor: 0,
      lowest: 0.000001,
      step: 0.001,
      basis: 'dearest',
      plans: [],
      countries: [],
      with_prefixes: false,
      with_free: false,
    })
  })

  it.each([
    { percent: '1000.1' },
    { percent: '12.34' },
    { percent: '-1' },
    { percent: '1e2' },
    { floor: '0.0000001' },
    { floor: '1001' },
    { lowest: '$1' },
  ])('is refused with %j, which names the field', (typed) => {
    const draft = { ...FIRST_RULE, ...typed }
    expect(Object.keys(faultsIn(draft))).toEqual(Object.keys(typed))
    expect(ruleOf(draft)).toBeNull()
  })

  it('is refused with an unknown step', () => {
    expect(ruleOf({ ...FIRST_RULE, step: '0.02' })).toBeNull()
  })
})
