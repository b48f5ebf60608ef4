import type { AllUsers } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'

export async function insertReset(
  db: Database,
  reset: { tokenHash: Buffer; userId: number; expiresAt: Date },
  now: Date,
): Promise<void> {
  await db
    .insertInto('password_resets')
    .values({
      token_hash: reset.tokenHash,
      user_id: reset.userId,
      expires_at: reset.expiresAt,
      created_at: now,
    })
    .execute()
}

/** Deletes the token and returns its user, so only one of two concurrent requests succeeds. */
export async function consumeReset(
  db: Database,
  _scope: AllUsers,
  tokenHash: Buffer,
  now: Date,
): Promise<number | undefined> {
  const row = await db
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}
