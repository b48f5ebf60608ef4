import { expect, test } from 'vitest'
import { exampleAt } from './example-calls.ts'

test('starts with two answered calls and one ringing call', () => {
  expect(exampleAt(0).calls.map((call) => call.isRinging)).toEqual([false, false, true])
})

test('always has one to three calls and a balance above the held amount', () => {
  for (let second = 0; second < 120; second += 1) {
    const { balanceDollars, heldDollars, calls } = exampleAt(second)
    expect(calls.length).toBeLessThanOrEqual(3)
    expect(calls.length).toBeGreaterThan(0)
    expect(heldDollars).toBeGreaterThan(0)
    expect(balanceDollars).toBeGreaterThan(heldDollars)
  }
})
