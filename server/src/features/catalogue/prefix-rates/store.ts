import { micros, ZERO } from '@trunkline/domain/money'
import type { PrefixRate, Rate } from '@trunkline/domain/rating'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'

/** Owner of a price list. */
export type Shelf = 'trunk' | 'route'

const TABLES = { trunk: 'trunk_rates', route: 'route_rates' } as const
const tableOf = (shelf: Shelf) => sql.table(TABLES[shelf])
const keyOf = (shelf: Shelf) => sql.ref(`${shelf}_id`)

const COLUMNS = sql`prefix, price_micros, connect_fee_micros, first_increment, next_increment`

type RateRow = Pick<
  Selectable<Tables['routes']>,
  'price_micros' | 'connect_fee_micros' | 'first_increment' | 'next_increment'
>
type Row = RateRow & { prefix: string }

export const readRate = (row: RateRow): Rate => ({
  priceMicros: micros(row.price_micros),
  connectFeeMicros: row.connect_fee_micros === 0n ? ZERO : micros(row.connect_fee_micros),
  firstIncrement: row.first_increment,
  nextIncrement: row.next_increment,
})

export const readPrefixRate = (row: Row): PrefixRate => ({ prefix: row.prefix, ...readRate(row) })

/** Ordered by prefix as text: 44, 441, 45. */
export async function listAllRates(db: Database, shelf: Shelf, id: number): Promise<PrefixRate[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from ${tableOf(shelf)} where ${keyOf(shelf)} = ${id} order by prefix collate "C"`.execute(
    db,
  )
  return rows.map(readPrefixRate)
}

export type RatesPage = { search: string; after?: string | undefined; limit: number }

/** Prefixes that start with the search text, or that are the start of it. */
const searchCondition = (shelf: Shelf, id: number, search: string): RawBuilder<unknown> =>
  search === ''
    ? sql`${keyOf(shelf)} = ${id}`
    : sql`${keyOf(shelf)} = ${id} and (starts_with(prefix, ${search}) or starts_with(${search}, prefix))`

export async function listRatesPage(
  db: Database,
  shelf: Shelf,
  id: number,
  { search, after = '', limit }: RatesPage,
): Promise<{ rates: PrefixRate[]; total: number }> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from ${tableOf(shelf)}
     where ${searchCondition(shelf, id, search)} and prefix collate "C" > ${after} order by prefix collate "C" limit ${limit}`.execute(
    db,
  )
  const counted = await sql<{ total: number }>`
    select count(*)::integer as total from ${tableOf(shelf)} where ${searchCondition(shelf, id, search)}`.execute(
    db,
  )
  return { rates: rows.map(readPrefixRate), total: counted.rows[0]?.total ?? 0 }
}

/** Removes and saves the given prefixes. Others stay. */
export async function changeRates(
  db: Database,
  shelf: Shelf,
  id: number,
  { gone, set }: { gone: readonly string[]; set: readonly PrefixRate[] },
): Promise<void> {
  for (const some of inBatches(gone))
    await sql`delete from ${tableOf(shelf)} where ${keyOf(shelf)} = ${id} and prefix = any(${some}::text[])`.execute(
      db,
    )
  for (const some of inBatches(set)) await setRates(db, shelf, id, some)
}

export async function replaceRates(
  db: Database,
  shelf: Shelf,
  id: number,
  rates: readonly PrefixRate[],
): Promise<void> {
  await sql`delete from ${tableOf(shelf)} where ${keyOf(shelf)} = ${id}`.execute(db)
  await changeRates(db, shelf, id, { gone: [], set: rates })
}

/** Batch size, because many rates at once can exceed the statement timeout of ten seconds on a busy machine. */
const MAX_AT_ONCE = 2_000

export function* inBatches<Item>(all: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < all.length; at += MAX_AT_ONCE) yield all.slice(at, at + MAX_AT_ONCE)
}

async function setRates(db: Database, shelf: Shelf, id: number, set: readonly PrefixRate[]): Promise<void> {
  const key = keyOf(shelf)
  await sql`
    insert into ${tableOf(shelf)} (${key}, ${COLUMNS})
    select ${id}, * from unnest(${set.map(({ prefix }) => prefix)}::text[],
           ${set.map(({ priceMicros }) => priceMicros)}::bigint[],
           ${set.map(({ connectFeeMicros }) => connectFeeMicros)}::bigint[],
           ${set.map(({ firstIncrement }) => firstIncrement)}::integer[],
           ${set.map(({ nextIncrement }) => nextIncrement)}::integer[])
    on conflict (${key}, prefix) do update
       set price_micros = excluded.price_micros, connect_fee_micros = excluded.connect_fee_micros,
           first_increment = excluded.first_increment, next_increment = excluded.next_increment`.execute(db)
}
