import { expect, it } from 'vitest'
import { openedIn } from './search.ts'

it.each([
  [{ ticket: 12 }, 12],
  [{ ticket: '12' }, 12],
  [{ ticket: 'new' }, 'new'],
  [{}, null],
  [{ ticket: 'latest' }, null],
  [{ ticket: '' }, null],
  [{ ticket: 0 }, null],
  [{ ticket: -3 }, null],
  [{ ticket: 1.5 }, null],
  [{ ticket: ['12'] }, null],
  [{ ticket: null }, null],
])('%j opens %s', (search, opened) => {
  expect(openedIn(search)).toBe(opened)
})
