import type { Owner } from '@trunkline/domain/access'
import type { Selectable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { findsRow, ofOwner, refuseForeign } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

type CallerIdRow = Selectable<Tables['caller_ids']>
type NewCallerId = { callerid: string; countrycode: string; name: string }

export const findCallerId = (db: Database, owner: Owner, userId: number): Promise<CallerIdRow | undefined> =>
  db
    .selectFrom('caller_ids')
    .selectAll()
    .where('user_id', '=', userId)
    .where(ofOwner(owner, 'user_id'))
    .executeTakeFirst()

/** A number that the user rents is a proven caller ID while it rings. */
export const isRented = (db: Database, owner: Owner, userId: number, callerid: string): Promise<boolean> =>
  findsRow(
    db
      .selectFrom('number_rentals')
      .select('id')
      .where('user_id', '=', userId)
      .where('e164', '=', callerid)
      .where('state', 'in', ['active', 'grace'])
      .where(ofOwner(owner, 'user_id')),
  )

export async function saveCallerId(
  db: Database,
  owner: Owner,
  userId: number,
  given: NewCallerId,
  now: Date,
): Promise<void> {
  refuseForeign(owner, userId)
  await db
    .insertInto('caller_ids')
    .values({ user_id: userId, ...given, updated_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...given, updated_at: now }))
    .execute()
}
