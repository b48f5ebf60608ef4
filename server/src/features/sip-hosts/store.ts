import type { Owner } from '@trunkline/domain/access'
import type { Database } from '../../platform/database.ts'

/** Constraint that says an address is another account's; see db/0007_tickets.sql. */
export const HOST_INDEX = 'users_host'

export async function setHost(db: Database, owner: Owner, userId: number, host: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ host })
    .where('id', '=', userId)
    .$if(owner.userId !== null, (query) => query.where('id', '=', owner.userId))
    .execute()
}

/** Answers what it was before; undefined where there is no such user. */
export async function setWebsiteIp(
  db: Database,
  _owner: Owner,
  userId: number,
  websiteip: string | null,
): Promise<{ websiteip: string | null } | undefined> {
  const before = await db
    .selectFrom('users')
    .select('websiteip')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (before) await db.updateTable('users').set({ websiteip }).where('id', '=', userId).execute()
  return before
}
