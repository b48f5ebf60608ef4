import { expect, it } from 'vitest'
import { askFor, isNarrowed, readSearch, readTab, selectionOf } from './search.ts'

it('reads valid values and ignores others', () => {
  const whole = { search: 'acme', premium: 'yes', sort: 'balance', after: '7~5000000', user: 7 } as const
  expect(readSearch(whole)).toEqual(whole)
  expect(readSearch({ search: 42, premium: 'maybe', sort: 'toString', user: '-1', after: '' })).toEqual({
    search: '42',
  })
  expect(readSearch({ tag: ' VIP ' })).toEqual({ tag: 'vip' })
  for (const tag of ['two words', 'x'.repeat(31), '', ['vip']]) expect(readSearch({ tag })).toEqual({})
  expect(readTab({ tab: 'statement' })).toBe('statement')
  expect(readTab({ tab: 'constructor' })).toBe('overview')
})

it('requests the same users on every page, whichever user is open', () => {
  const selection = selectionOf(readSearch({ search: 'acme', after: '7~x', user: 7 }))
  expect(askFor(selection, '9~y')).toEqual({ search: 'acme', after: '9~y' })
  expect(isNarrowed(selection)).toBe(true)
  expect(isNarrowed({ sort: 'name' })).toBe(false)
})
