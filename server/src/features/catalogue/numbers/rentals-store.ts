import type { AllUsers, Owner } from '@trunkline/domain/access'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { countRows, insertedId, ofOwner, ownRow } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { NumberRow } from './store.ts'

/** Numbers that customers rent. */

export type RentalRow = Selectable<Tables['number_rentals']>
export type RentedRow = RentalRow & Pick<NumberRow, 'country' | 'area' | 'type'>

const rented = (db: Database, owner: Owner) =>
  db
    .selectFrom('number_rentals')
    .innerJoin('numbers', 'numbers.id', 'number_rentals.number_id')
    .selectAll('number_rentals')
    .select(['numbers.country', 'numbers.area', 'numbers.type'])
    .where('number_rentals.state', '<>', 'ended')
    .where(ofOwner(owner, 'number_rentals.user_id'))

export const listRentals = (db: Database, owner: Owner): Promise<RentedRow[]> =>
  rented(db, owner).orderBy('number_rentals.id').execute()

export const findRental = (db: Database, owner: Owner, id: number): Promise<RentedRow | undefined> =>
  rented(db, owner).where('number_rentals.id', '=', id).executeTakeFirst()

/** A rental that has not ended. */
export const lockRental = (db: Database, owner: Owner, id: number): Promise<RentalRow | undefined> =>
  db
    .selectFrom('number_rentals')
    .selectAll()
    .where('id', '=', id)
    .where('state', '<>', 'ended')
    .where(ofOwner(owner, 'number_rentals.user_id'))
    .forUpdate()
    .executeTakeFirst()

export const lockRentalOfNumber = (
  db: Database,
  _scope: AllUsers,
  numberId: number,
): Promise<RentalRow | undefined> =>
  db
    .selectFrom('number_rentals')
    .selectAll()
    .where('number_id', '=', numberId)
    .where('state', '<>', 'ended')
    .forUpdate()
    .executeTakeFirst()

export const findRentalByRequest = (
  db: Database,
  _scope: AllUsers,
  requestKey: string,
): Promise<RentalRow | undefined> =>
  db.selectFrom('number_rentals').selectAll().where('request_key', '=', requestKey).executeTakeFirst()

/** Serializes rentals by one customer. Undefined if the user cannot rent: unknown, disabled or merged. */
export async function lockCustomer(db: Database, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .where('merged_into', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.username
}

export const countRentals = (db: Database, userId: number): Promise<number> =>
  countRows(db.selectFrom('number_rentals').where('user_id', '=', userId).where('state', '<>', 'ended'))

export const insertRental = (db: Database, rental: Insertable<Tables['number_rentals']>): Promise<number> =>
  insertedId(db.insertInto('number_rentals').values(rental).returning('id'))

export async function updateRental(
  db: Database,
  owner: Owner,
  id: number,
  change: Updateable<Tables['number_rentals']>,
): Promise<void> {
  await db.updateTable('number_rentals').set(change).where(ownRow(owner, id)).execute()
}

/** Trusted addresses that a ring plan can use. */
export async function findTrustedAddresses(db: Database, userId: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('trusted_addresses')
    .select('address')
    .where('user_id', '=', userId)
    .where('state', '<>', 'pending')
    .execute()
  return new Set(rows.map(({ address }) => address))
}
