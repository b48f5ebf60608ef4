import { expect, test } from 'vitest'
import { changeBetween } from './change.ts'

test.each([
  [150, 100, { direction: 'up', text: '50%' }],
  [103.25, 100, { direction: 'up', text: '3.3%' }],
  [40, 100, { direction: 'down', text: '60%' }],
  [0, 100, { direction: 'down', text: '100%' }],
  [2_500, 100, { direction: 'up', text: '2,400%' }],
  [100, 100, { direction: 'same', text: 'no change' }],
  [100.001, 100, { direction: 'same', text: 'no change' }],
  // A loss that becomes a profit.
  [5, -10, { direction: 'up', text: '150%' }],
  [5, 0, null],
  [5, null, null],
  [null, 5, null],
])('%j after %j is a change of %j', (now, then, change) => {
  expect(changeBetween(now, then, false)).toEqual(change)
})

test('a percentage changes by points', () => {
  expect(changeBetween(62.5, 60, true)).toEqual({ direction: 'up', text: '2.5 pts' })
  expect(changeBetween(0, 40, true)).toEqual({ direction: 'down', text: '40 pts' })
  expect(changeBetween(10, 0, true)).toEqual({ direction: 'up', text: '10 pts' })
})
