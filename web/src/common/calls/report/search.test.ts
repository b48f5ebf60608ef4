import { describe, expect, it } from 'vitest'
import { filtersIn, filtersOf, readSearch, selectionOf, withFilters } from './search.ts'

const whole = {
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

describe('reading an address', () => {
  it('understands everything that the report writes', () => {
    expect(readSearch(whole)).toEqual(whole)
  })

  it('takes figures and words as people type them', () => {
    expect(
      readSearch({ search: 4420, min_duration: '30', max_cost: '0.50', country: 'united kingdom' }),
    ).toEqual({
      search: '4420',
      min_duration: 30,
      max_cost: 0.5,
      country: 'GB',
    })
  })

  it('leaves out what it cannot understand', () => {
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

describe('asking the server', () => {
  const now = new Date('2026-11-15T12:00:00Z')

  it('asks for today unless told otherwise', () => {
    const { from, to } = filtersOf({}, now) ?? {}
    expect([typeof from, typeof to]).toEqual(['string', 'string'])
  })

  it('a custom range without days is the text filter alone', () => {
    expect(filtersOf({ period: 'custom', search: 'alice' }, now)).toEqual({ search: 'alice' })
  })

  it('sends neither the page nor the open call, nor the days themselves', () => {
    const asked = filtersOf(selectionOf(readSearch(whole)), now) ?? {}
    expect(Object.keys(asked).sort()).toEqual(
      [
        ...['country', 'from', 'max_cost', 'max_duration', 'min_cost', 'min_duration'],
        ...['search', 'status', 'to'],
      ].sort(),
    )
    expect(asked.from).toMatch(/^2026-1\d-.*Z$/)
  })
})

describe('what the Filter button holds', () => {
  it('is apart from the text and the period', () => {
    expect(filtersIn(readSearch(whole))).toEqual({
      status: 'no-answer',
      country: 'GB',
      min_duration: 0,
      max_duration: 90,
      min_cost: 0.5,
      max_cost: 2,
    })
  })

  it('is replaced as a whole, and nothing else with it', () => {
    expect(
      withFilters({ search: 'x', period: 'week', status: 'busy', min_cost: 1 }, { country: 'DE' }),
    ).toEqual({
      search: 'x',
      period: 'week',
      country: 'DE',
    })
  })
})
