import { expect, it } from 'vitest'
import { recordPage, type VisitedPages } from './use-pagination.ts'

const start: VisitedPages<string> = { name: 'all', cursors: [undefined] }

it('records the cursors of visited pages', () => {
  const second = recordPage(start, { name: 'all', cursor: undefined, next: 'a' })
  const third = recordPage(second, { name: 'all', cursor: 'a', next: 'b' })
  expect(third.cursors).toEqual([undefined, 'a', 'b'])
  expect(recordPage(third, { name: 'all', cursor: 'b', next: null })).toBe(third)
})

it('returns the same object when the user goes back', () => {
  const visited: VisitedPages<string> = { name: 'all', cursors: [undefined, 'a', 'b'] }
  expect(recordPage(visited, { name: 'all', cursor: 'a', next: 'b' })).toBe(visited)
})

it('replaces later cursors when new calls shift the pages', () => {
  const visited: VisitedPages<string> = { name: 'all', cursors: [undefined, 'a', 'b'] }
  expect(recordPage(visited, { name: 'all', cursor: undefined, next: 'z' }).cursors).toEqual([undefined, 'z'])
})

it('starts again for another selection, and ignores a page that was opened by URL', () => {
  const visited: VisitedPages<string> = { name: 'all', cursors: [undefined, 'a', 'b'] }
  expect(recordPage(visited, { name: 'busy', cursor: undefined, next: null })).toEqual({
    name: 'busy',
    cursors: [undefined],
  })
  expect(recordPage(start, { name: 'all', cursor: 'x', next: 'y' })).toBe(start)
})
