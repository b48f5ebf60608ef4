import { describe, expect, it } from 'vitest'
import { chooseStatus, describeFilters, filtersOf, readSearch, selectionOf, statusChoice } from './search.ts'

describe('the search parameters of payments', () => {
  it('ignores values that are not valid', () => {
    expect(
      readSearch({
        status: 'Completed',
        state: 'done',
        user: '7',
        min: '0.5',
        max: 'much',
        from: '2026-02-30',
        refundable: 1,
        payment: -1,
      }),
    ).toEqual({ status: 'Completed', user: 7, min: 0.5, refundable: 1 })
    expect(readSearch({ view: 'reviews', decided: 'ignored', before: '12' })).toEqual({
      view: 'reviews',
      decided: 'ignored',
      before: 12,
    })
  })

  it('sends whole days and only the filters to the server', () => {
    const search = readSearch({
      from: '2026-11-01',
      to: '2026-11-02',
      refundable: '1',
      payment: 3,
      before: 9,
    })
    const { from = '', to = '', ...rest } = filtersOf(selectionOf(search)) ?? {}
    expect(rest).toEqual({ refundable: '1' })
    expect((Date.parse(to) - Date.parse(from)) / 3_600_000).toBe(48)
  })

  it('offers one choice of status or state', () => {
    expect(chooseStatus({ state: 'underpaid', min: 5 }, 'Failed')).toEqual({ min: 5, status: 'Failed' })
    expect(chooseStatus({ status: 'Failed' }, 'underpaid')).toEqual({ state: 'underpaid' })
    expect(chooseStatus({ status: 'Failed' }, '')).toEqual({})
    expect(statusChoice({ state: 'in_review' })).toBe('in_review')
  })

  it('describes each filter and the selection without it', () => {
    const filters = describeFilters({ state: 'in_review', user: 7, min: 5 }, 'alice')
    expect(filters.map(({ text }) => text)).toEqual(['In review', 'User: alice', 'At least $5.00'])
    expect(filters[1]?.without).toEqual({ state: 'in_review', min: 5 })
    const [from] = describeFilters({ from: '2026-11-15' }, undefined)
    expect(from?.text).toBe('From Nov 15, 2026')
  })
})
