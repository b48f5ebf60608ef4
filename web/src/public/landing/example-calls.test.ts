import { expect, test } from 'vitest'
import { exampleAt } from './example-calls.ts'

test('the picture opens with two calls under way and one that rings', () => {
  expect(exampleAt(0).calls.map((call) => call.isRinging)).toEqual([false, false, true])
})

test('at every second its calls fit the panel and its money makes sense', () => {
  for (let second = 0; second < 120; second += 1) {
    const { balanceDollars, heldDollars, calls } = exampleAt(second)
    expect(calls.length).toBeLessThanOrEqual(3)
    expect(calls.length).toBeGreaterThan(0)
    expect(heldDollars).toBeGreaterThan(0)
    expect(balanceDollars).toBeGreaterThan(heldDollars)
  }
})
