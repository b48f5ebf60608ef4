import type { AllUsers, Owner } from '@trunkline/domain/access'
import type { NumberStatus, NumberType, RentalState } from '@trunkline/domain/ringing'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { insertedId, ROW_COUNT, updateVersioned } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

/** The inventory of numbers. */

export type NumberRow = Selectable<Tables['numbers']>

/** A number with its carrier, its customer and its current rental. */
export type InventoryRow = NumberRow & {
  trunk_name: string | null
  username: string | null
  rental_id: number | null
  rental_state: RentalState
  rental_started_at: Date
  rental_paid_until: Date
  rental_cancels: boolean
}

export type InventoryFilter = {
  search?: string | undefined
  status?: NumberStatus | undefined
  country?: string | undefined
  type?: NumberType | undefined
  trunk?: number | undefined
  user?: number | undefined
  tag?: string | undefined
}

type Page = { after?: number | undefined; limit: number }

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const all = (conditions: readonly (RawBuilder<boolean> | false | undefined)[]): RawBuilder<boolean> => {
  const given = conditions.filter((condition) => typeof condition === 'object')
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(given, sql` and `)}`
}

function searched(text: string): RawBuilder<boolean> {
  const digits = text.replace(/[\s+().-]/g, '')
  const pattern = contains(text)
  const number = /^\d+$/.test(digits) ? sql`numbers.e164 like ${contains(digits)} or` : sql``
  return sql<boolean>`(${number} numbers.area ilike ${pattern}
    or exists (select from unnest(numbers.tags) as tag where tag ilike ${pattern})
    or exists (select from users where users.id = numbers.user_id and users.username ilike ${pattern}))`
}

/** Conditions of the list, without the status. */
const matches = ({ search, country, type, trunk, user, tag }: InventoryFilter): RawBuilder<boolean> =>
  all([
    search !== undefined && search !== '' && searched(search),
    country !== undefined && sql<boolean>`numbers.country = ${country}`,
    type && sql<boolean>`numbers.type = ${type}`,
    trunk !== undefined && sql<boolean>`numbers.trunk_id = ${trunk}`,
    user !== undefined && sql<boolean>`numbers.user_id = ${user}`,
    tag !== undefined &&
      sql<boolean>`exists (select from unnest(numbers.tags) as t where lower(t) = lower(${tag}))`,
  ])

const inventory = (db: Database) =>
  db
    .selectFrom('numbers')
    .leftJoin('trunks', 'trunks.id', 'numbers.trunk_id')
    .leftJoin('users', 'users.id', 'numbers.user_id')
    .leftJoin('number_rentals as rental', (join) =>
      join.onRef('rental.number_id', '=', 'numbers.id').on('rental.state', '<>', 'ended'),
    )
    .selectAll('numbers')
    .select([
      'trunks.name as trunk_name',
      'users.username',
      'rental.id as rental_id',
      'rental.state as rental_state',
      'rental.started_at as rental_started_at',
      'rental.paid_until as rental_paid_until',
      'rental.cancels as rental_cancels',
    ])

export const listInventory = async (
  db: Database,
  _scope: AllUsers,
  filter: InventoryFilter,
  { after = 0, limit }: Page,
): Promise<InventoryRow[]> =>
  (await inventory(db)
    .where(matches(filter))
    .$if(filter.status !== undefined, (query) =>
      query.where('numbers.status', '=', filter.status ?? 'available'),
    )
    .where('numbers.id', '>', after)
    .orderBy('numbers.id')
    .limit(limit)
    .execute()) as InventoryRow[]

export const findInventory = async (
  db: Database,
  _scope: AllUsers,
  id: number,
): Promise<InventoryRow | undefined> =>
  (await inventory(db).where('numbers.id', '=', id).executeTakeFirst()) as InventoryRow | undefined

/** Counts by status of the numbers that match the other filters. */
export async function countByStatus(
  db: Database,
  _scope: AllUsers,
  filter: InventoryFilter,
): Promise<Map<NumberStatus, number>> {
  const rows = await db
    .selectFrom('numbers')
    .select(['status', ROW_COUNT.as('count')])
    .where(matches(filter))
    .groupBy('status')
    .execute()
  return new Map(rows.map(({ status, count }) => [status, count]))
}

/** Serializes additions to the inventory, so that a number is found or added, never both. */
export async function lockInventory(db: Database, _scope: AllUsers): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('number inventory'))`.execute(db)
}

/** Numbers are locked before their rentals, and rentals before accounts. */
export const lockNumber = (db: Database, _scope: AllUsers, id: number): Promise<NumberRow | undefined> =>
  db.selectFrom('numbers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

const byDigits = (db: Database, e164s: readonly string[]) =>
  db
    .selectFrom('numbers')
    .selectAll()
    .where(sql<boolean>`e164 = any(${[...e164s]}::text[])`)

export const lockNumbersByDigits = (
  db: Database,
  _scope: AllUsers,
  e164s: readonly string[],
): Promise<NumberRow[]> => byDigits(db, e164s).orderBy('id').forUpdate().execute()

export const listNumbersByDigits = (
  db: Database,
  _scope: AllUsers,
  e164s: readonly string[],
): Promise<NumberRow[]> => byDigits(db, e164s).execute()

export const insertNumber = (db: Database, number: Insertable<Tables['numbers']>): Promise<number> =>
  insertedId(db.insertInto('numbers').values(number).returning('id'))

export type InventoryValues = Pick<
  NumberRow,
  | 'area'
  | 'type'
  | 'trunk_id'
  | 'monthly_micros'
  | 'setup_micros'
  | 'price_micros'
  | 'cost_monthly_micros'
  | 'cost_micros'
  | 'max_calls'
  | 'tags'
  | 'note'
>
export type NewNumber = InventoryValues & Pick<NumberRow, 'e164' | 'country'>

const COLUMNS = sql`e164 text, country text, area text, type text, trunk_id integer, monthly_micros bigint, setup_micros bigint,
  price_micros bigint, cost_monthly_micros bigint, cost_micros bigint, max_calls integer, tags text[], note text`

/** One parameter for any number of rows. */
const asJson = (numbers: readonly NewNumber[]): string =>
  JSON.stringify(numbers, (_, value) => (typeof value === 'bigint' ? String(value) : value))

export async function insertNumbers(db: Database, numbers: readonly NewNumber[], now: Date): Promise<void> {
  await sql`
    insert into numbers (e164, country, area, type, trunk_id, monthly_micros, setup_micros, price_micros, cost_monthly_micros,
                         cost_micros, max_calls, tags, note, status, created_at)
    select given.*, 'available', ${now}::timestamptz
      from jsonb_to_recordset(${asJson(numbers)}::jsonb) as given (${COLUMNS})`.execute(db)
}

/** Finds the numbers by their digits. */
export async function updateNumbers(
  db: Database,
  _scope: AllUsers,
  numbers: readonly NewNumber[],
): Promise<void> {
  await sql`
    update numbers
       set area = given.area, type = given.type, trunk_id = given.trunk_id, monthly_micros = given.monthly_micros,
           setup_micros = given.setup_micros, price_micros = given.price_micros,
           cost_monthly_micros = given.cost_monthly_micros, cost_micros = given.cost_micros,
           max_calls = given.max_calls, tags = given.tags, note = given.note, version = version + 1
      from jsonb_to_recordset(${asJson(numbers)}::jsonb) as given (${COLUMNS})
     where numbers.e164 = given.e164`.execute(db)
}

export const updateNumber = (
  db: Database,
  _scope: AllUsers,
  id: number,
  change: Updateable<Tables['numbers']>,
): Promise<void> => updateVersioned(db, 'numbers', id, change)

export async function deleteNumber(db: Database, _scope: AllUsers, id: number): Promise<void> {
  await db.deleteFrom('numbers').where('id', '=', id).execute()
}

/** Carriers by name in lower case. They cannot be deleted until the end of the transaction. */
export async function findTrunkIds(db: Database, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('trunks')
    .select(['id', 'name'])
    .where(sql<boolean>`lower(name) = any(${names.map((name) => name.toLowerCase())}::text[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]))
}

export const findTrunkName = async (db: Database, id: number): Promise<string | undefined> =>
  (await db.selectFrom('trunks').select('name').where('id', '=', id).forKeyShare().executeTakeFirst())?.name

export type RentableFilter = {
  country?: string | undefined
  type?: NumberType | undefined
  area?: string | undefined
  digits?: string | undefined
}

/** Available numbers, and those that are reserved for this customer. */
const rentable = (owner: Owner): RawBuilder<boolean> =>
  sql<boolean>`(numbers.status = 'available' or (numbers.status = 'reserved' and numbers.user_id = ${owner.userId}))`

export const listRentable = (
  db: Database,
  owner: Owner,
  { country, type, area, digits }: RentableFilter,
  { after = 0, limit }: Page,
): Promise<NumberRow[]> =>
  db
    .selectFrom('numbers')
    .selectAll()
    .where(rentable(owner))
    .where(
      all([
        country !== undefined && sql<boolean>`country = ${country}`,
        type && sql<boolean>`type = ${type}`,
        area !== undefined && area !== '' && sql<boolean>`area ilike ${contains(area)}`,
        digits !== undefined && digits !== '' && sql<boolean>`e164 like ${contains(digits)}`,
      ]),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const countRentable = (db: Database, owner: Owner): Promise<{ country: string; count: number }[]> =>
  db
    .selectFrom('numbers')
    .select(['country', ROW_COUNT.as('count')])
    .where(rentable(owner))
    .groupBy('country')
    .execute()

type Import = Insertable<Tables['number_imports']>

export const findImport = (db: Database, requestKey: string) =>
  db.selectFrom('number_imports').selectAll().where('request_key', '=', requestKey).executeTakeFirst()

export async function insertImport(db: Database, done: Import): Promise<void> {
  await db.insertInto('number_imports').values(done).execute()
}
