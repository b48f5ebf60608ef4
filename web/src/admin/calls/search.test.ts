import { describe, expect, it } from 'vitest'
import { draftOf, readDraft } from '../../common/calls/report/filters.ts'
import { filtersIn, filtersOf, readSearch, selectionOf } from '../../common/calls/report/search.ts'
import { describeOperatorFilters, operatorRules } from './filters.ts'
import { failuresOf, readAdminSearch } from './search.ts'

const operatorParams = {
  user: 7,
  trunk: 3,
  carrier_result: 'failed',
  without: 'country',
  route: 12,
  sip_code: 503,
  reason: 'carrier_failed',
  caller_id: '1202',
  source_address: '2001:db8::10',
  min_margin: -0.5,
  margin_below: 0,
  hour: '2026-11-15T14:00:00.000Z',
} as const

describe('reading URL parameters of administrators', () => {
  it('accepts every parameter that the list writes', () => {
    const all = { search: '4420', period: 'week', status: 'failed', ...operatorParams } as const
    expect(readAdminSearch(all)).toEqual(all)
  })

  it('converts numbers, and removes the spacing of a caller ID', () => {
    expect(
      readAdminSearch({ trunk: '3', sip_code: '404', caller_id: '+1 (202) 555-0100', margin_below: '-0.5' }),
    ).toEqual({ trunk: 3, sip_code: 404, caller_id: '12025550100', margin_below: -0.5 })
    expect(readAdminSearch({ caller_id: 1202 })).toEqual({ caller_id: '1202' })
  })

  it('starts an hour at its first minute', () => {
    expect(readAdminSearch({ hour: '2026-11-15T14:59:59.999Z' })).toEqual({ hour: operatorParams.hour })
  })

  it('ignores invalid parameters', () => {
    expect(
      readAdminSearch({
        user: 0,
        trunk: 1.5,
        carrier_result: 'lost',
        without: 'status',
        route: 'gold',
        sip_code: 99,
        reason: 'toString',
        caller_id: 'alice',
        source_address: ' ',
        min_margin: 'much',
        margin_below: 0.1234567,
        hour: 'noon',
      }),
    ).toEqual({})
  })

  it('are ignored by the report of customers', () => {
    expect(readSearch(operatorParams)).toEqual({})
  })
})

describe('the API query of administrators', () => {
  const now = new Date('2026-11-15T16:00:00Z')

  it('has the hour instead of the period', () => {
    const { user, ...filters } = operatorParams
    const { hour, ...rest } = filters
    expect(filtersOf(selectionOf(readAdminSearch({ period: 'week', ...operatorParams })), now)).toEqual({
      user,
      ...rest,
      from: hour,
      to: '2026-11-15T15:00:00.000Z',
    })
  })

  it('of the failures of a carrier covers the hour of the call', () => {
    const search = failuresOf(3, '2026-11-15T14:37:05.123Z')
    expect(readAdminSearch(search)).toEqual(search)
    expect(filtersOf(search, now)).toEqual({
      trunk: 3,
      carrier_result: 'failed',
      from: '2026-11-15T14:00:00.000Z',
      to: '2026-11-15T15:00:00.000Z',
    })
  })
})

describe('the filter form of administrators', () => {
  const empty = draftOf({})

  it('restores the filters it was opened with', () => {
    const filters = filtersIn(operatorParams)
    expect(Object.keys(filters)).toHaveLength(9)
    expect(readDraft(draftOf(filters), operatorRules)).toEqual({ ok: true, filters })
  })

  it('has an error for every invalid field', () => {
    expect(
      readDraft(
        { ...empty, sip_code: '42', caller_id: 'bob', min_margin: 'a', max_cost: 'b' },
        operatorRules,
      ),
    ).toEqual({
      ok: false,
      faults: {
        sip_code: 'Please enter a SIP code from 100 to 699.',
        caller_id: 'Please enter a number or its first digits.',
        margin: 'Please enter an amount in dollars, such as -0.50.',
        cost: 'Please enter an amount in dollars, such as 0.50.',
      },
    })
    expect(readDraft({ ...empty, min_margin: '0.1', margin_below: '0.1' }, operatorRules)).toEqual({
      ok: false,
      faults: { margin: 'The upper bound must be above the lower one.' },
    })
  })
})

it('describes each filter and the selection without it', () => {
  const names = { user: 'alice', trunk: 'Albion London' }
  const chips = describeOperatorFilters({ search: 'x', ...operatorParams }, names)
  expect(chips.map(({ text }) => text).slice(1)).toEqual([
    'User: alice',
    'Carrier: Albion London',
    'At the carrier: Did not answer',
    'No country',
    'Route: 12',
    'SIP code: 503',
    'Reason: No carrier could complete the call',
    'Caller ID: 1202',
    'Source address: 2001:db8::10',
    'Margin from -$0.50',
    'Margin below $0.00',
  ])
  const { sip_code: _code, ...others } = operatorParams
  expect(chips.find(({ text }) => text === 'SIP code: 503')?.without).toEqual({ search: 'x', ...others })
})
