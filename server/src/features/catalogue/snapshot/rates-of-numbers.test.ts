import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createShop } from '../../../../test/catalogue.ts'
import { readTrunks } from './store.ts'

it('reads the same rates for many numbers as for each one', async () => {
  const { services, addTrunk } = await createShop()
  const { db } = services
  const trunk = await addTrunk({ name: 'Carrier One' })
  const other = await addTrunk({ name: 'Carrier Two' })
  const prefixes = [
    '4',
    '44',
    '4420',
    '4420794',
    '49',
    '4930',
    '1',
    '1202555',
    '442079460000',
    '4420794600001',
  ]
  for (const { id } of [trunk, other])
    await sql`insert into trunk_rates (trunk_id, prefix, price_micros)
              select ${id}, prefix, 1000 from unnest(${prefixes}::text[]) as prefix`.execute(db)
  const few = ['442079460000', '12025550100']
  const many = [...few, ...Array.from({ length: 2_000 }, (_, n) => `3912345${1000 + n}`)]
  const ratesOf = async (numbers: readonly string[]) =>
    (await readTrunks(db, { numbers })).map(({ id, buyRates }) => [id, [...buyRates.byPrefix.keys()].sort()])
  const expected = ['1', '1202555', '4', '44', '4420', '4420794', '442079460000']
  expect(await ratesOf(few)).toEqual([
    [trunk.id, expected],
    [other.id, expected],
  ])
  expect(await ratesOf(many)).toEqual(await ratesOf(few))
})
