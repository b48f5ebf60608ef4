import { expect, it } from 'vitest'
import { type Walked, walk } from './use-places.ts'

const start: Walked<string> = { name: 'all', cursors: [undefined] }

it('remembers the pages that were walked', () => {
  const second = walk(start, { name: 'all', cursor: undefined, next: 'a' })
  const third = walk(second, { name: 'all', cursor: 'a', next: 'b' })
  expect(third.cursors).toEqual([undefined, 'a', 'b'])
  expect(walk(third, { name: 'all', cursor: 'b', next: null })).toBe(third)
})

it('keeps the same way when one goes back in it', () => {
  const walked: Walked<string> = { name: 'all', cursors: [undefined, 'a', 'b'] }
  expect(walk(walked, { name: 'all', cursor: 'a', next: 'b' })).toBe(walked)
})

it('goes another way when new calls have moved the pages', () => {
  const walked: Walked<string> = { name: 'all', cursors: [undefined, 'a', 'b'] }
  expect(walk(walked, { name: 'all', cursor: undefined, next: 'z' }).cursors).toEqual([undefined, 'z'])
})

it('another selection begins anew, and a page in the middle of nowhere teaches nothing', () => {
  const walked: Walked<string> = { name: 'all', cursors: [undefined, 'a', 'b'] }
  expect(walk(walked, { name: 'busy', cursor: undefined, next: null })).toEqual({
    name: 'busy',
    cursors: [undefined],
  })
  expect(walk(start, { name: 'all', cursor: 'x', next: 'y' })).toBe(start)
})
