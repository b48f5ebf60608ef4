import { expect, test } from 'vitest'
import { changeSince } from './today-data.ts'

const figure = (today: number | null, yesterday: number | null, last_week: number | null = null) => ({
  today,
  yesterday,
  last_week,
})

test.each([
  [figure(150, 100), { direction: 'up', text: '50%' }],
  [figure(103.25, 100), { direction: 'up', text: '3.3%' }],
  [figure(40, 100), { direction: 'down', text: '60%' }],
  [figure(0, 100), { direction: 'down', text: '100%' }],
  [figure(2_500, 100), { direction: 'up', text: '2,400%' }],
  [figure(100, 100), { direction: 'same', text: 'no change' }],
  [figure(100.001, 100), { direction: 'same', text: 'no change' }],
  // A loss that becomes a profit.
  [figure(5, -10), { direction: 'up', text: '150%' }],
  [figure(5, 0), null],
  [figure(5, null), null],
  [figure(null, 5), null],
])('%j changes by %j', (compared, change) => {
  expect(changeSince(compared, 'yesterday', false)).toEqual(change)
})

test('a percentage changes by points', () => {
  expect(changeSince(figure(62.5, 60), 'yesterday', true)).toEqual({ direction: 'up', text: '2.5 pts' })
  expect(changeSince(figure(0, 0, 40), 'last_week', true)).toEqual({ direction: 'down', text: '40 pts' })
  expect(changeSince(figure(10, 0), 'yesterday', true)).toEqual({ direction: 'up', text: '10 pts' })
})
