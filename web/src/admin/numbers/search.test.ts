import { describe, expect, test } from 'vitest'
import { describeFilters, readSearch, selectionOf } from './search.ts'

describe('the address of the list of numbers', () => {
  test('keeps valid filters and ignores the others', () => {
    const raw = { search: ' 4420 ', status: 'rented', country: 'gb', trunk: '7', after: 50, number: 9 }
    expect(readSearch(raw)).toEqual({ ...raw, search: '4420', country: 'GB', trunk: 7 })
    expect(readSearch({ status: 'sold', country: 'Britain', type: 'fax', user: '-1', tag: ' ' })).toEqual({})
  })

  test('describes each filter with the selection that remains without it', () => {
    const selection = selectionOf({ status: 'rented', trunk: 7, after: 3, number: 9 })
    expect(describeFilters(selection, { trunk: 'Meridian' })).toEqual([
      { text: 'Status: Rented', without: { trunk: 7 } },
      { text: 'Carrier: Meridian', without: { status: 'rented' } },
    ])
  })
})
