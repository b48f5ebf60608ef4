import { describe, expect, test } from 'vitest'
import { doneSteps, isShown, type Known } from './steps.ts'

const newAccount: Known = {
  user: { bal: 0 },
  callerId: null,
  routes: 0,
  phones: 0,
  trusted: 0,
  stats: { totalCalls: 0, totalMinutes: 0, totalCost: 0 },
}
const completed = (known: Partial<Known>) =>
  Object.entries(doneSteps({ ...newAccount, ...known }))
    .filter(([, isDone]) => isDone)
    .map(([name]) => name)

describe('completed steps', () => {
  test.each<[string, Partial<Known>, string[]]>([
    ['none for a new account', {}, []],
    ['the caller ID when it is set', { callerId: '14155550142' }, ['caller-id']],
    ['the route when one is chosen', { routes: 1 }, ['route']],
    ['the top-up when the balance is positive', { user: { bal: 0.01 } }, ['top-up']],
    ['the phone when one registers', { phones: 1 }, ['phone']],
    ['the phone when an address is trusted', { trusted: 1 }, ['phone']],
    [
      'the phone, not the call, when a call was refused',
      { stats: { totalCalls: 1, totalMinutes: 0, totalCost: 0 } },
      ['phone'],
    ],
    [
      'call, phone and top-up after an answered call, even with no balance and no phone',
      { stats: { totalCalls: 1, totalMinutes: 2, totalCost: 0.1 } },
      ['top-up', 'phone', 'call'],
    ],
  ])('%s', (_title, known, expected) => {
    expect(completed(known)).toEqual(expected)
  })
})

test('shows the list until it is complete and dismissed, and hides it for accounts that start complete', () => {
  expect(isShown(false, null)).toBe(true)
  expect(isShown(false, 'begun')).toBe(true)
  expect(isShown(true, 'begun')).toBe(true)
  expect(isShown(true, null)).toBe(false)
  expect(isShown(true, 'dismissed')).toBe(false)
  expect(isShown(false, 'dismissed')).toBe(false)
})
