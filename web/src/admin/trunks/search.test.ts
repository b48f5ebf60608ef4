import { expect, test } from 'vitest'
import { readSearch, writeListName } from './search.ts'

test('reads valid search parameters and ignores others', () => {
  expect(readSearch({})).toEqual({
    view: 'carriers',
    carrier: '',
    list: null,
    find: '',
    plan: null,
    country: null,
    number: '',
    home: '',
  })
  expect(
    readSearch({
      view: 'rates',
      carrier: 'Meridian',
      list: 'trunk-3',
      find: 447,
      plan: 'Gold CLI',
      country: 'gb',
      number: '+44',
      home: 'de',
    }),
  ).toEqual({
    view: 'rates',
    carrier: 'Meridian',
    list: { shelf: 'trunk', id: 3 },
    find: '447',
    plan: 'Gold CLI',
    country: 'GB',
    number: '+44',
    home: 'DE',
  })
  for (const list of ['trunk-0', 'plan-3', 'trunk-3x', {}, ['trunk-3']])
    expect(readSearch({ list, view: 'other', country: 'GBR', find: {}, home: 'GBR' })).toMatchObject({
      list: null,
      view: 'carriers',
      country: null,
      find: '',
      home: '',
    })
  expect(readSearch({ list: writeListName({ shelf: 'route', id: 12 }) }).list).toEqual({
    shelf: 'route',
    id: 12,
  })
})
