import { describe, expect, it } from 'vitest'
import { filtersIn, filtersOf, readSearch, selectionOf, withFilters } from './search.ts'

const allParams = {
  search: '4420',
  period: 'custom',
  from: '2026-11-01',
  to: '2026-11-15',
  status: 'no-answer',
  country: 'GB',
  min_duration: 0,
  max_duration: 90,
  min_cost: 0.5,
  max_cost: 2,
  cursor: 'abc.def',
  call: 'abc.ghi',
} as const

describe('reading URL parameters', () => {
  it('accepts every parameter that the report writes', () => {
    expect(readSearch(allParams)).toEqual(allParams)
  })

  it('converts numbers and country names', () => {
    expect(
      readSearch({ search: 4420, min_duration: '30', max_cost: '0.50', country: 'united kingdom' }),
    ).toEqual({
      search: '4420',
      min_duration: 30,
      max_cost: 0.5,
      country: 'GB',
    })
  })

  it('ignores invalid parameters', () => {
    expect(
      readSearch({
        search: '  ',
        period: 'decade',
        from: '2026-02-30',
        status: 'toString',
        country: 'Atlantis',
        min_duration: -1,
        max_duration: 1.5,
        min_cost: 'much',
        max_cost: 0.12345678,
        cursor: ['a'],
        something: 'else',
      }),
    ).toEqual({})
  })
})

describe('the API query', () => {
  const now = new Date('2026-11-15T12:00:00Z')

  it('defaults to today', () => {
    const { from, to } = filtersOf({}, now) ?? {}
    expect([typeof from, typeof to]).toEqual(['string', 'string'])
  })

  it('sends no dates for a custom range without days', () => {
    expect(filtersOf({ period: 'custom', search: 'alice' }, now)).toEqual({ search: 'alice' })
  })

  it('sends timestamps instead of days, and neither the page nor the open call', () => {
    const asked = filtersOf(selectionOf(readSearch(allParams)), now) ?? {}
    expect(Object.keys(asked).sort()).toEqual(
      [
        ...['country', 'from', 'max_cost', 'max_duration', 'min_cost', 'min_duration'],
        ...['search', 'status', 'to'],
      ].sort(),
    )
    expect(asked.from).toMatch(/^2026-1\d-.*Z$/)
  })
})

describe('the filters of the Filter button', () => {
  it('exclude text and period', () => {
    expect(filtersIn(readSearch(allParams))).toEqual({
      status: 'no-answer',
      country: 'GB',
      min_duration: 0,
      max_duration: 90,
      min_cost: 0.5,
      max_cost: 2,
    })
  })

  it('are replaced together; text and period stay', () => {
    expect(
      withFilters({ search: 'x', period: 'week', status: 'busy', min_cost: 1 }, { country: 'DE' }),
    ).toEqual({
      search: 'x',
      period: 'week',
      country: 'DE',
    })
  })
})
