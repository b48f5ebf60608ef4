import type { Owner } from '@trunkline/domain/access'
import { type RawBuilder, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

/** Parts that the queries of many stores share. */

type OwnerColumn = 'user_id' | `${string}.user_id` | 'id' | 'users.id'

/** True for rows of the owner, and for all rows if the owner is an administrator or the system. */
export const ofOwner = (owner: Owner, column: OwnerColumn): RawBuilder<boolean> =>
  owner.userId === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${owner.userId}`

/** True for the row with this id, if it belongs to the owner. */
export const ownRow = (owner: Owner, id: number): RawBuilder<boolean> =>
  sql<boolean>`(id = ${id} and ${ofOwner(owner, 'user_id')})`

/** For statements that insert a row of this user, or change the user: an owner does so only for themselves. */
export function refuseForeign(owner: Owner, userId: number): void {
  if (owner.userId !== null && owner.userId !== userId) throw new Error('row of another user')
}

/** True for the rows of the next page, which goes back in time. The first page has no `before`. */
export const beforeId = (column: `${string}.id`, before: number | undefined): RawBuilder<boolean> =>
  before === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} < ${before}::bigint`

/** The number of rows, or of rows in each group. */
export const ROW_COUNT = sql<number>`count(*)::integer`

/** For rows with a `version`, which every change increases. */
export const NEXT_VERSION = sql<number>`version + 1`

/** Changes a row of the catalogue that has a `version`. */
export async function updateVersioned<Name extends 'carrier_invoices' | 'numbers' | 'routes' | 'trunks'>(
  db: Database,
  table: Name,
  id: number,
  change: Updateable<Tables[Name]>,
): Promise<void> {
  await db
    .updateTable<'routes'>(table as 'routes')
    .set({ ...(change as Updateable<Tables['routes']>), version: NEXT_VERSION })
    .where('id', '=', id)
    .execute()
}

/** The number of rows of a small table. Serializes additions, so that two of them cannot pass a limit together. */
export async function countLocked(
  db: Database,
  table: 'canned_replies' | 'limit_templates',
): Promise<number> {
  await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(db)
  return countRows(db.selectFrom(table))
}

/** The number of rows of a user. Serializes additions of the user, so that two of them cannot pass a limit together. */
export async function countOfUserLocked(
  db: Database,
  table: 'flows' | 'sounds',
  userId: number,
): Promise<number> {
  await sql`select from users where id = ${userId} for no key update`.execute(db)
  return countRows(db.selectFrom(table).where('user_id', '=', userId))
}

/** Removes characters from outside that PostgreSQL cannot store, so that one value does not fail a batch. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/** Runs the query and returns the number of its rows. */
export async function countRows<DB, Table extends keyof DB, Columns>(
  query: SelectQueryBuilder<DB, Table, Columns>,
): Promise<number> {
  const row = await query.select(ROW_COUNT.as('count')).executeTakeFirstOrThrow()
  return (row as { count: number }).count
}

/** Runs the insert, which returns the new id. */
export const insertedId = async (insert: {
  executeTakeFirstOrThrow(): Promise<{ id: number }>
}): Promise<number> => (await insert.executeTakeFirstOrThrow()).id

/** Runs the query and tells whether it found a row. */
export const findsRow = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined

/** Runs the statement and tells whether it changed a row. */
export const updatesRow = async (statement: {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint }>
}): Promise<boolean> => (await statement.executeTakeFirst()).numUpdatedRows > 0n

/** Runs the statement and tells whether it deleted a row. */
export const deletesRow = async (statement: {
  executeTakeFirst(): Promise<{ numDeletedRows: bigint }>
}): Promise<boolean> => (await statement.executeTakeFirst()).numDeletedRows > 0n
