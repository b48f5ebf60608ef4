import type { AllUsers, Owner } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'
import { ofOwner, refuseForeign, updatesRow } from '../../../platform/rows.ts'

type Pending = { userId: number; email: string; expiresAt: Date }

/** Replaces the pending address, whose link becomes invalid. */
export async function saveEmailChange(
  db: Database,
  owner: Owner,
  { userId, email, expiresAt }: Pending,
  now: Date,
): Promise<void> {
  refuseForeign(owner, userId)
  const row = { email, token_hash: null, created_at: now, expires_at: expiresAt }
  await db
    .insertInto('email_changes')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

export async function findPendingEmail(
  db: Database,
  owner: Owner,
  userId: number,
  now: Date,
): Promise<string | null> {
  const row = await db
    .selectFrom('email_changes')
    .select('email')
    .where('user_id', '=', userId)
    .where(ofOwner(owner, 'user_id'))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.email ?? null
}

/** False if the pending address has changed or is gone. */
export const setEmailToken = (
  db: Database,
  { userId, email, tokenHash }: { userId: number; email: string; tokenHash: Buffer },
  now: Date,
): Promise<boolean> =>
  updatesRow(
    db
      .updateTable('email_changes')
      .set({ token_hash: tokenHash })
      .where('user_id', '=', userId)
      .where('email', '=', email)
      .where('expires_at', '>', now),
  )

/** Deletes the token, so only one of two concurrent requests succeeds. */
export const consumeEmailToken = (
  db: Database,
  _scope: AllUsers,
  tokenHash: Buffer,
  now: Date,
): Promise<{ user_id: number; email: string } | undefined> =>
  db
    .deleteFrom('email_changes')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning(['user_id', 'email'])
    .executeTakeFirst()

/** Makes the link to a pending address invalid. */
export async function deleteEmailChangeOf(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('email_changes').where('user_id', '=', userId).execute()
}
