import type { Owner } from '@trunkline/domain/access'
import { type RawBuilder, sql } from 'kysely'

/** Parts that the queries of many stores share. */

type OwnerColumn = 'user_id' | `${string}.user_id` | 'id' | 'users.id'

/** True for rows of the owner, and for all rows if the owner is an administrator or the system. */
export const ofOwner = (owner: Owner, column: OwnerColumn): RawBuilder<boolean> =>
  owner.userId === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${owner.userId}`

/** The number of rows, or of rows in each group. */
export const ROW_COUNT = sql<number>`count(*)::integer`

/** For rows with a `version`, which every change increases. */
export const NEXT_VERSION = sql<number>`version + 1`

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
