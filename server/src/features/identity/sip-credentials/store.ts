import type { Owner } from '@trunkline/domain/access'
import type { Selectable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ofOwner, refuseForeign } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type SipCredentials = Selectable<Tables['sip_credentials']>

export const findSipCredentials = (
  db: Database,
  owner: Owner,
  userId: number,
): Promise<SipCredentials | undefined> =>
  db
    .selectFrom('sip_credentials')
    .selectAll()
    .where('user_id', '=', userId)
    .where(ofOwner(owner, 'user_id'))
    .executeTakeFirst()

/** Replaces the previous password. */
export async function saveSipCredentials(
  db: Database,
  owner: Owner,
  { user_id, ...made }: SipCredentials,
): Promise<void> {
  refuseForeign(owner, user_id)
  await db
    .insertInto('sip_credentials')
    .values({ user_id, ...made })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(made))
    .execute()
}

export async function deleteSipCredentials(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('sip_credentials').where('user_id', '=', userId).execute()
}
