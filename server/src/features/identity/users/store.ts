import type { ProfileField, UserField } from '@trunkline/contract/user-fields'
import type { AllUsers, Owner } from '@trunkline/domain/access'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { findsRow, ofOwner } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type UserRow = Selectable<Tables['users']>

/** A user with balance. A database trigger creates the account row. */
export type UserWithBalance = UserRow & {
  balance_micros: bigint
  held_micros: bigint
  /** Server address: the user's own or that of the service. */
  shown_websiteip: string | null
}

export type NewUser = Partial<Pick<UserRow, Exclude<UserField, 'host'>>> & {
  username: string
  passwordHash: string
  email: string | null
  /** True if an administrator entered the address. */
  isEmailVerified?: boolean
  isAdmin?: boolean
  isPremium?: boolean
}

/** Unique index on usernames; see db/0001_accounts.sql. */
export const USERNAME_INDEX = 'users_username'

export const insertUser = (
  db: Database,
  { passwordHash, isEmailVerified = false, isAdmin = false, isPremium = false, ...fields }: NewUser,
  now: Date,
): Promise<UserRow> =>
  db
    .insertInto('users')
    .values({
      ...fields,
      password_hash: passwordHash,
      email_verified_at: fields.email !== null && isEmailVerified ? now : null,
      is_admin: isAdmin,
      is_premium: isPremium,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Subquery for the id of a username, case-insensitive. */
export const idOfUser = (db: Database, owner: Owner, username: string) =>
  db
    .selectFrom('users')
    .select('users.id')
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .where(ofOwner(owner, 'users.id'))

/** The owner's own user, or all for administrators and the system. */
const visibleUsers = (db: Database, owner: Owner) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.user_id', 'users.id')
    .selectAll('users')
    .select(['accounts.balance_micros', 'accounts.held_micros'])
    .select(
      sql<string | null>`coalesce(users.websiteip,
        (select value from service_settings where service_settings.name = 'websiteip'))`.as(
        'shown_websiteip',
      ),
    )
    .where(ofOwner(owner, 'users.id'))

export const findUserById = (db: Database, owner: Owner, id: number): Promise<UserWithBalance | undefined> =>
  visibleUsers(db, owner).where('id', '=', id).executeTakeFirst()

export const findUserByName = (
  db: Database,
  owner: Owner,
  username: string,
): Promise<UserWithBalance | undefined> =>
  visibleUsers(db, owner).where(sql`lower(username)`, '=', username.toLowerCase()).executeTakeFirst()

/** Active accounts with this verified address. */
export const findActiveUsersByEmail = (
  db: Database,
  owner: Owner,
  email: string,
): Promise<UserWithBalance[]> =>
  visibleUsers(db, owner)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('email_verified_at', 'is not', null)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .limit(20)
    .execute()

/** Administrators, users with one of the names or addresses, and users created within a minute of the first user. */
export const listDemoCandidates = (
  db: Database,
  _scope: AllUsers,
  { usernames, emails }: { usernames: readonly string[]; emails: readonly string[] },
): Promise<UserRow[]> =>
  db
    .selectFrom('users')
    .selectAll()
    .where((users) =>
      users.or([
        users('is_admin', '=', true),
        users(sql`lower(username)`, 'in', [...usernames]),
        users(sql`lower(email)`, 'in', [...emails]),
        users(
          'created_at',
          '<',
          sql<Date>`(select min(first.created_at) + interval '1 minute' from users as first)`,
        ),
      ]),
    )
    .orderBy('id')
    .execute()

export async function setVerifiedEmail(
  db: Database,
  owner: Owner,
  userId: number,
  email: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ email, email_verified_at: now })
    .where('id', '=', userId)
    .where(ofOwner(owner, 'id'))
    .execute()
}

export async function updateProfile(
  db: Database,
  owner: Owner,
  userId: number,
  change: Partial<Pick<UserRow, ProfileField>>,
): Promise<void> {
  await db.updateTable('users').set(change).where('id', '=', userId).where(ofOwner(owner, 'id')).execute()
}

/** The first lock of every change that ends mailed links, which the trigger of `users` deletes, and of every change of limits. */
export async function lockUser(tx: Database, owner: Owner, userId: number): Promise<void> {
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(ofOwner(owner, 'id'))
    .forNoKeyUpdate()
    .execute()
}

/** False if the password has changed or the account is disabled. Otherwise neither happens until the end of the transaction. */
export const lockPassword = (tx: Database, owner: Owner, userId: number, hash: string): Promise<boolean> =>
  findsRow(
    tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .where(ofOwner(owner, 'id'))
      .where('password_hash', '=', hash)
      .where('disabled_at', 'is', null)
      .forShare(),
  )

export async function setPasswordHash(
  db: Database,
  owner: Owner,
  userId: number,
  hash: string,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', userId)
    .where(ofOwner(owner, 'id'))
    .execute()
}
