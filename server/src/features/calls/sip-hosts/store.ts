import type { Database } from '../../../platform/database.ts'

/** Returns the previous value; undefined for an unknown user. */
export async function setWebsiteIp(
  db: Database,
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
