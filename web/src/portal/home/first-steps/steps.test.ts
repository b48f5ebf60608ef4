import { describe, expect, test } from 'vitest'
import { doneSteps, isShown, type Known } from './steps.ts'

const newcomer: Known = {
  user: { bal: 0 },
  callerId: null,
  routes: 0,
  phones: 0,
  trusted: 0,
  stats: { totalCalls: 0, totalMinutes: 0, totalCost: 0 },
}
const ticked = (known: Partial<Known>) =>
  Object.entries(doneSteps({ ...newcomer, ...known }))
    .filter(([, isDone]) => isDone)
    .map(([name]) => name)

describe('a step ticks itself', () => {
  test.each<[string, Partial<Known>, string[]]>([
    ['nothing for a newcomer', {}, []],
    ['the caller ID when it is set', { callerId: '14155550142' }, ['caller-id']],
    ['the route when one is chosen', { routes: 1 }, ['route']],
    ['the top-up when there is money', { user: { bal: 0.01 } }, ['top-up']],
    ['the phone when one registers', { phones: 1 }, ['phone']],
    ['the phone when an address is trusted', { trusted: 1 }, ['phone']],
    [
      'the phone, not the call, when a call was refused',
      { stats: { totalCalls: 1, totalMinutes: 0, totalCost: 0 } },
      ['phone'],
    ],
    [
      'what was needed for it when a call was made, though the money is spent and the phone off',
      { stats: { totalCalls: 1, totalMinutes: 2, totalCost: 0.1 } },
      ['top-up', 'phone', 'call'],
    ],
  ])('%s', (_what, known, expected) => {
    expect(ticked(known)).toEqual(expected)
  })
})

test('the list stays until it is complete and dismissed, and does not greet whoever was done before', () => {
  expect(isShown(false, null)).toBe(true)
  expect(isShown(false, 'begun')).toBe(true)
  expect(isShown(true, 'begun')).toBe(true)
  expect(isShown(true, null)).toBe(false)
  expect(isShown(true, 'dismissed')).toBe(false)
  expect(isShown(false, 'dismissed')).toBe(false)
})
