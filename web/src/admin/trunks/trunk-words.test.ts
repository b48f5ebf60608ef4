import type { Route } from '@trunkline/contract/routes'
import type { Trunk } from '@trunkline/contract/trunks'
import { describe, expect, test } from 'vitest'
import { inOrder, isThere, orphansOf, sipAnswer, stateOf } from './trunk-words.ts'

const trunkWith = (differences: Partial<Trunk>): Trunk => ({
  id: 1,
  name: 'T',
  provider: '',
  status: 'active',
  type: 'sip',
  isPrimary: false,
  capacity: 1,
  used: 0,
  country: '',
  country_code: null,
  premium: false,
  configured_status: 'active',
  plans: ['Gold'],
  health: [],
  priority: 100,
  buy_rate: 0.01,
  ...differences,
})
const health = (name: string, is_up: boolean, since: string) => ({
  switch: name,
  is_up,
  code: is_up ? 200 : 503,
  since,
  checked_at: since,
})

describe('the state of a trunk', () => {
  test.each([
    ['switched off', { configured_status: 'inactive' as const }, 'Inactive', 'off'],
    ['without a health report', {}, 'Active', 'off'],
    ['answering all', { health: [health('a', true, '1'), health('b', true, '2')] }, 'Up', 'signal'],
    [
      'answering some',
      { health: [health('a', true, '1'), health('b', false, '2')] },
      'Partly down',
      'pending',
    ],
    ['answering none', { health: [health('a', false, '1')] }, 'Down', 'danger'],
  ])('%s', (_, differences, word, lamp) => {
    expect(stateOf(trunkWith(differences))).toMatchObject({ word, lamp })
  })

  test('has the start of the failure and the SIP reply', () => {
    const state = stateOf(trunkWith({ health: [health('a', true, '3'), health('edge', false, '2')] }))
    expect(state).toMatchObject({ since: '2', heardAt: '3' })
    expect(state.detail).toBe('Switch edge: 503 Service Unavailable. Calls skip this trunk there.')
    expect([sipAnswer(408), sipAnswer(499)]).toEqual(['408 no answer', '499'])
    expect([200, 404, 408, 500, 503].filter(isThere)).toEqual([200, 404])
  })
})

test('orders trunks of one priority by the cost of a minute, with fee and increments', () => {
  const trunks = [
    trunkWith({ id: 1, buy_rate: 0.01, buy_connect_fee: 0.001 }),
    trunkWith({ id: 2, buy_rate: 0.009, buy_first_increment: 90 }),
    trunkWith({ id: 3, buy_rate: 0.01, buy_first_increment: 60, buy_next_increment: 60 }),
  ]
  expect(trunks.sort(inOrder).map(({ id }) => id)).toEqual([3, 1, 2])
})

test('orders trunks by primary of the country, general primary, priority, price and id', () => {
  const trunks = [
    trunkWith({ id: 1, priority: 50 }),
    trunkWith({ id: 2, priority: 50, buy_rate: 0.001 }),
    trunkWith({ id: 3, priority: 900, isPrimary: true }),
    trunkWith({ id: 4, priority: 900, isPrimary: true, country_code: 'DE' }),
    trunkWith({ id: 5, priority: 10 }),
    trunkWith({ id: 6, priority: 50 }),
  ]
  expect(trunks.sort(inOrder).map(({ id }) => id)).toEqual([4, 3, 5, 2, 1, 6])
})

test('lists routes without another active trunk for their plan and country', () => {
  const route = (id: number, planname: string, country_code: string) =>
    ({ id, planname, country_code }) as Route
  const routes = [route(1, 'Gold', 'DE'), route(2, 'Gold', 'FR'), route(3, 'Silver', 'DE')]
  const mine = trunkWith({ id: 1 })
  const others = [
    trunkWith({ id: 2, country_code: 'FR' }),
    trunkWith({ id: 3, country_code: 'DE', configured_status: 'inactive' }),
  ]
  const orphans = (trunk: Trunk) => orphansOf(trunk, [mine, ...others], routes).map(({ id }) => id)
  expect(orphans(mine)).toEqual([1])
  expect(orphans({ ...mine, configured_status: 'inactive' })).toEqual([])
  expect(orphans({ ...mine, plans: [] })).toEqual([])
})
