import { expect, it } from 'vitest'
import { digitsIn, readSearch } from './search.ts'

it('reads the filters and the open number from the URL', () => {
  expect(
    readSearch({ country: 'GB', type: 'toll_free', area: ' London ', digits: 7946, rings: '12' }),
  ).toEqual({
    country: 'GB',
    type: 'toll_free',
    area: 'London',
    digits: '7946',
    rings: 12,
  })
})

it('ignores invalid parameters', () => {
  expect(
    readSearch({ country: 'Great Britain', type: 'satellite', area: ' ', digits: 'x', rings: '-1' }),
  ).toEqual({})
})

it('keeps the digits of a typed number', () => {
  expect(digitsIn('+44 20')).toBe('4420')
})
