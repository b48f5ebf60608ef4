import type { AllUsers, Owner } from '@trunkline/domain/access'
import { type Insertable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ofOwner, refuseForeign } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

/** Limits for valid sessions of active users. */
type LiveSince = { now: Date; idleSince: Date }

/** Locks the session of a token, so concurrent requests create one phone. */
export const lockSession = (db: Database, owner: Owner, tokenHash: Buffer) =>
  db
    .selectFrom('sessions')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where(ofOwner(owner, 'user_id'))
    .forUpdate()
    .executeTakeFirst()

export const listPhonesOfSession = (db: Database, owner: Owner, sessionId: number) =>
  db
    .selectFrom('phones')
    .select(['name', 'connected_at', 'expires_at', 'receives'])
    .where('session_id', '=', sessionId)
    .where(ofOwner(owner, 'user_id'))
    .orderBy('made_at')
    .execute()

export async function insertPhone(
  db: Database,
  owner: Owner,
  phone: Insertable<Tables['phones']>,
): Promise<void> {
  refuseForeign(owner, phone.user_id)
  await db.insertInto('phones').values(phone).execute()
}

const livePhones = (db: Database, { now, idleSince }: LiveSince) =>
  db
    .selectFrom('phones')
    .innerJoin('sessions', 'sessions.id', 'phones.session_id')
    .innerJoin('users', 'users.id', 'phones.user_id')
    .select('phones.name')
    .where('phones.expires_at', '>', now)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_used_at', '>', idleSince)
    .where('users.disabled_at', 'is', null)

export const findPhoneByToken = (db: Database, _scope: AllUsers, tokenHash: Buffer, since: LiveSince) =>
  livePhones(db, since).where('phones.token_hash', '=', tokenHash).executeTakeFirst()

/** Phones that have not expired. */
export async function listLivePhones(
  db: Database,
  _scope: AllUsers,
  names: readonly string[],
  since: LiveSince,
): Promise<string[]> {
  const rows = await livePhones(db, since).where(sql<boolean>`phones.name = any(${names}::text[])`).execute()
  return rows.map(({ name }) => name)
}

export async function keepPhones(
  db: Database,
  _scope: AllUsers,
  names: readonly string[],
  now: Date,
  expiresAt: Date,
): Promise<void> {
  await db
    .updateTable('phones')
    .set({ connected_at: sql`coalesce(connected_at, ${now})`, expires_at: expiresAt })
    .where(sql<boolean>`name = any(${names}::text[])`)
    .execute()
}

export async function deletePhone(db: Database, owner: Owner, name: string): Promise<void> {
  await db.deleteFrom('phones').where('name', '=', name).where(ofOwner(owner, 'user_id')).execute()
}

export async function deleteExpiredPhones(db: Database, _scope: AllUsers, now: Date): Promise<void> {
  await db.deleteFrom('phones').where('expires_at', '<=', now).execute()
}
