import type { Grain } from '@trunkline/contract/analysis'
import { describe, expect, it } from 'vitest'
import { readAdminSearch } from '../calls/search.ts'
import type { FigureName } from './figures.ts'
import {
  type AnalysisSearch,
  type By,
  callsBehind,
  callsOf,
  callsOfStep,
  daysOf,
  faultOf,
  grainOf,
  grainsFor,
  nameOf,
  readAnalysisSearch,
} from './search.ts'
import { stepLabel } from './steps.ts'

const MARCH_31 = new Date(2026, 2, 31, 12)

describe('the URL of the analysis', () => {
  it('accepts every parameter, and ignores invalid ones', () => {
    const all = {
      by: 'carrier',
      period: 'custom',
      from: '2026-03-01',
      to: '2026-03-31',
      grain: 'week',
      sort: 'margin',
      order: 'asc',
      figure: 'answer_rate',
      key: '7',
      rows: 200,
    } as const
    expect(readAnalysisSearch(all)).toEqual(all)
    expect(
      readAnalysisSearch({
        by: 'all',
        period: 'age',
        from: '2026-02-30',
        sort: 'x',
        order: 'desc',
        rows: -1,
      }),
    ).toEqual({})
  })
})

describe('the period', () => {
  it.each<[AnalysisSearch, string, string]>([
    [{}, '2026-03-25', '2026-03-31'],
    [{ period: 'today' }, '2026-03-31', '2026-03-31'],
    [{ period: 'yesterday' }, '2026-03-30', '2026-03-30'],
    [{ period: 'month' }, '2026-03-02', '2026-03-31'],
    [{ period: 'this_month' }, '2026-03-01', '2026-03-31'],
    [{ period: 'last_month' }, '2026-02-01', '2026-02-28'],
    [{ period: 'custom', from: '2026-01-05' }, '2026-01-05', '2026-03-31'],
    [{ period: 'custom' }, '2026-03-31', '2026-03-31'],
  ])('%j is from %s to %s', (search, from, to) => {
    expect(daysOf(search, MARCH_31)).toEqual({ from, to })
  })

  it('must not be reversed or longer than a year', () => {
    expect(faultOf({ from: '2026-03-02', to: '2026-03-01' })).toBe('The end date is before the start date.')
    expect(faultOf({ from: '2025-01-01', to: '2026-03-01' })).toBe('Choose at most 366 days.')
    expect(faultOf({ from: '2026-03-01', to: '2026-03-01' })).toBeUndefined()
  })

  it('offers steps that make a readable chart', () => {
    const march = { from: '2026-03-01', to: '2026-03-31' }
    const quarter = { from: '2026-01-01', to: '2026-04-30' }
    expect(grainsFor(march)).toEqual(['hour', 'day', 'week'])
    expect(grainsFor(quarter)).toEqual(['day', 'week', 'month'])
    expect(grainOf({}, { from: '2026-03-01', to: '2026-03-01' })).toBe('hour')
    expect(grainOf({}, march)).toBe('day')
    expect(grainOf({ grain: 'hour' }, quarter)).toBe('week')
  })
})

describe('a row', () => {
  const days = { from: '2026-03-01', to: '2026-03-31' }

  it('links to its calls with filters that the list of calls understands', () => {
    for (const [by, key] of [
      ['carrier', '7'],
      ['country', 'GB'],
      ['prefix', '4420'],
      ['route', '3'],
      ['customer', '12'],
      ['caller', '12025550100'],
      ['code', '503'],
      ['direction', 'in'],
    ] as const) {
      const search = callsOf(by, key, days)
      expect(search).not.toBeNull()
      expect(readAdminSearch({ ...search })).toEqual(search)
    }
    expect(callsOf('country', '', days)).toEqual({ period: 'custom', ...days, without: 'country' })
    expect(readAdminSearch({ ...callsOf('caller', '', days) })).toEqual(callsOf('caller', '', days))
  })

  it('has the calls behind each figure: answered ones for money and talk time, all for rates', () => {
    const behind = (figure: FigureName, by: By, key?: string) => callsBehind(figure, days, { by, key })
    expect(behind('revenue', 'country', 'GB')).toEqual({
      period: 'custom',
      ...days,
      country: 'GB',
      status: 'completed',
    })
    expect(behind('post_dial_delay', 'country', 'GB')).toEqual(callsOf('country', 'GB', days))
    expect(behind('margin', 'carrier', '7')).toEqual({
      period: 'custom',
      ...days,
      trunk: 7,
      direction: 'out',
      carrier_result: 'answered',
    })
    expect(behind('answer_rate', 'carrier')).toEqual({ period: 'custom', ...days })
    expect(behind('cost', 'carrier')).toEqual({ period: 'custom', ...days, status: 'completed' })
  })

  it('has the calls of each step of the chart, within the period', () => {
    const march = { from: '2026-03-04', to: '2026-03-31' }
    const of = (at: string, grain: Grain) => callsOfStep({ period: 'custom', ...march }, at, grain, march)
    expect(of('2026-03-29T14:00', 'hour')).toEqual({
      period: 'custom',
      from: '2026-03-29',
      to: '2026-03-29',
      hour: new Date(2026, 2, 29, 14).toISOString(),
    })
    expect(of('2026-03-29', 'day')).toMatchObject({ from: '2026-03-29', to: '2026-03-29' })
    expect(of('2026-03-02', 'week')).toMatchObject({ from: '2026-03-04', to: '2026-03-08' })
    expect(of('2026-03-30', 'week')).toMatchObject({ from: '2026-03-30', to: '2026-03-31' })
    expect(of('2026-03-01', 'month')).toMatchObject(march)
  })

  it('has a name, also if it has no value or was deleted', () => {
    expect(nameOf('country', { key: 'GB', name: 'United Kingdom' })).toBe('United Kingdom')
    expect(nameOf('customer', { key: '', name: null })).toBe('Unknown caller')
    expect(nameOf('carrier', { key: '7', name: null })).toBe('Former carrier 7')
    expect(nameOf('caller', { key: '12025550100', name: '12025550100' })).toBe('+1 202 555 0100')
  })
})

it('names the steps of the chart', () => {
  expect(stepLabel('2026-03-29T14:00', 'hour')).toBe('2 PM')
  expect(stepLabel('2026-03-29T00:00', 'hour')).toBe('Mar 29')
  expect(stepLabel('2026-03-29T14:00', 'hour', true)).toBe('Mar 29, 2 PM')
  expect(stepLabel('2026-03-30', 'week', true)).toBe('Week from Mar 30')
  expect(stepLabel('2026-03-01', 'month', true)).toBe('Mar 2026')
})
