import { expect, it } from 'vitest'
import { askFor, isNarrowed, readSearch, selectionOf } from './search.ts'

it('reads valid filters and ignores others', () => {
  const whole = {
    show: 'all',
    assigned: 'me',
    priority: 'high',
    user: 'ann',
    text: 'echo',
    ticket: 7,
  } as const
  expect(readSearch(whole)).toEqual(whole)
  expect(readSearch({ show: 'some', assigned: 'you', priority: 'urgent', user: ' ', ticket: '-1' })).toEqual(
    {},
  )
})

it('asks for open tickets of everybody unless filters say otherwise', () => {
  expect(askFor({})).toEqual({ status: 'open' })
  expect(askFor({ show: 'waiting', assigned: 'nobody' })).toEqual({
    status: 'open',
    waiting: 'yes',
    assigned: 'nobody',
  })
  expect(askFor({ show: 'all', assigned: 'me', user: 'ann' })).toEqual({ assigned: 'me', username: 'ann' })
  const selection = selectionOf({ view: 'requests', ticket: 7, assigned: 'me' })
  expect(selection).toEqual({ assigned: 'me' })
  expect(isNarrowed(selection)).toBe(true)
})
