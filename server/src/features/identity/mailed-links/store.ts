import type { AllUsers } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'
import { lockUser } from '../users/store.ts'

/** Tables with the hashes of tokens that were mailed as links. */
type LinkTable = 'email_changes' | 'password_resets'

/** Locks the user of the link, before the same transaction consumes the token. */
export async function lockUserOfLink(
  tx: Database,
  scope: AllUsers,
  table: LinkTable,
  tokenHash: Buffer,
): Promise<void> {
  const link = await tx
    .selectFrom(table)
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (link) await lockUser(tx, scope, link.user_id)
}

export async function deleteExpiredLinks(
  db: Database,
  _scope: AllUsers,
  table: LinkTable,
  now: Date,
): Promise<void> {
  await db.deleteFrom(table).where('expires_at', '<=', now).execute()
}
