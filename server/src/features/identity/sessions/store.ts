import type { AllUsers, Owner } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { deletesRow, findsRow, ofOwner, ownRow } from '../../../platform/rows.ts'

type NewSession = {
  tokenHash: Buffer
  userId: number
  address: string
  userAgent: string
  expiresAt: Date
}

export async function insertSession(db: Database, session: NewSession, now: Date): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      address: session.address,
      user_agent: session.userAgent,
      created_at: now,
      last_used_at: now,
      proven_at: now,
      expires_at: session.expiresAt,
    })
    .execute()
}

type LiveSession = {
  tokenHash: Buffer
  userId: number
  isAdmin: boolean
  lastUsedAt: Date
  provenAt: Date | null
}

/** Valid sessions of active users by token. */
export const findLiveSessions = (
  db: Database,
  _scope: AllUsers,
  tokenHashes: readonly Buffer[],
  now: Date,
  idleSince: Date,
): Promise<LiveSession[]> =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.token_hash as tokenHash',
      'users.id as userId',
      'users.is_admin as isAdmin',
      'sessions.last_used_at as lastUsedAt',
      'sessions.proven_at as provenAt',
    ])
    .where(sql<boolean>`sessions.token_hash = any(${tokenHashes}::bytea[])`)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_used_at', '>', idleSince)
    .where('users.disabled_at', 'is', null)
    .execute()

/** Limit of the list. Signing out everywhere else ends all sessions. */
const MAX_LISTED = 100

export const listLiveSessions = (db: Database, owner: Owner, userId: number, now: Date, idleSince: Date) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where(ofOwner(owner, 'user_id'))
    .where('expires_at', '>', now)
    .where('last_used_at', '>', idleSince)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute()

export async function touchSession(
  db: Database,
  _scope: AllUsers,
  tokenHash: Buffer,
  now: Date,
): Promise<void> {
  await db.updateTable('sessions').set({ last_used_at: now }).where('token_hash', '=', tokenHash).execute()
}

export async function setSessionProven(
  db: Database,
  owner: Owner,
  tokenHash: Buffer,
  now: Date,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ proven_at: now })
    .where('token_hash', '=', tokenHash)
    .where(ofOwner(owner, 'user_id'))
    .execute()
}

export async function deleteSession(db: Database, owner: Owner, tokenHash: Buffer): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .where(ofOwner(owner, 'user_id'))
    .execute()
}

/** False if the owner has no such session. */
export const deleteSessionById = (db: Database, owner: Owner, id: number): Promise<boolean> =>
  deletesRow(db.deleteFrom('sessions').where(ownRow(owner, id)))

/** Returns the number of deleted sessions. */
export async function deleteOtherSessions(
  db: Database,
  owner: Owner,
  userId: number,
  keptTokenHash: Buffer,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where(ofOwner(owner, 'user_id'))
    .where('token_hash', '<>', keptTokenHash)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteSessionsOf(db: Database, userId: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('user_id', '=', userId).executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteDeadSessions(
  db: Database,
  _scope: AllUsers,
  now: Date,
  idleSince: Date,
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((or) => or.or([or('expires_at', '<=', now), or('last_used_at', '<=', idleSince)]))
    .execute()
}

export async function rememberAddress(
  db: Database,
  userId: number,
  address: string,
  now: Date,
): Promise<void> {
  await db
    .insertInto('known_addresses')
    .values({ user_id: userId, address, last_used_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'address']).doUpdateSet({ last_used_at: now }))
    .execute()
}

export const isKnownAddress = (
  db: Database,
  userId: number,
  address: string,
  since: Date,
): Promise<boolean> =>
  findsRow(
    db
      .selectFrom('known_addresses')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('address', '=', address)
      .where('last_used_at', '>', since),
  )

export async function deleteOldAddresses(db: Database, _scope: AllUsers, before: Date): Promise<void> {
  await db.deleteFrom('known_addresses').where('last_used_at', '<=', before).execute()
}

/** Devices that signed in since then. */
export async function listDevices(db: Database, userId: number, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('known_devices')
    .select('device')
    .where('user_id', '=', userId)
    .where('last_used_at', '>', since)
    .execute()
  return rows.map(({ device }) => device)
}

export async function rememberDevice(db: Database, userId: number, device: string, now: Date): Promise<void> {
  await db
    .insertInto('known_devices')
    .values({ user_id: userId, device, last_used_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'device']).doUpdateSet({ last_used_at: now }))
    .execute()
}

export async function deleteOldDevices(db: Database, _scope: AllUsers, before: Date): Promise<void> {
  await db.deleteFrom('known_devices').where('last_used_at', '<=', before).execute()
}
