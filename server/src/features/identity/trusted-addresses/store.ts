import type { AllUsers, Owner } from '@trunkline/domain/access'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ofOwner, ownRow, refuseForeign, updatesRow } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'
import { WEBSITE_IP } from '../service-settings/store.ts'

/** Unique index on approved addresses; see db/0018_trusted_addresses.sql. */
export const APPROVED_INDEX = 'trusted_addresses_approved'

type Row = Selectable<Tables['trusted_addresses']>
export type AddressRow = Row & { is_shared: boolean }

export async function listAddresses(db: Database, owner: Owner, userId: number): Promise<AddressRow[]> {
  const { rows } = await sql<AddressRow>`
    select a.*, a.state = 'proven' and exists (
             select from trusted_addresses as other join users on users.id = other.user_id
              where other.address = a.address and other.user_id <> a.user_id
                and other.state <> 'pending' and users.disabled_at is null) as is_shared
      from trusted_addresses as a
     where a.user_id = ${userId} and ${ofOwner(owner, 'user_id')}
     order by a.id`.execute(db)
  return rows
}

export const findAddress = (db: Database, owner: Owner, id: number): Promise<Row | undefined> =>
  db.selectFrom('trusted_addresses').selectAll().where(ownRow(owner, id)).executeTakeFirst()

/** Locks the user, so addresses and host change together. Undefined for an unknown user. */
export async function lockHost(db: Database, owner: Owner, userId: number): Promise<string | undefined> {
  refuseForeign(owner, userId)
  const row = await db
    .selectFrom('users')
    .select('host')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.host
}

export async function setHost(db: Database, owner: Owner, userId: number, host: string): Promise<void> {
  refuseForeign(owner, userId)
  await db.updateTable('users').set({ host }).where('id', '=', userId).execute()
}

/** Keeps an existing claim. */
export async function claimAddress(
  db: Database,
  owner: Owner,
  userId: number,
  address: string,
  now: Date,
): Promise<void> {
  refuseForeign(owner, userId)
  await db
    .insertInto('trusted_addresses')
    .values({ user_id: userId, address, added_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'address']).doNothing())
    .execute()
}

/** True if it was pending before. */
export async function proveAddress(
  db: Database,
  owner: Owner,
  userId: number,
  address: string,
  now: Date,
): Promise<boolean> {
  refuseForeign(owner, userId)
  return updatesRow(
    db
      .updateTable('trusted_addresses')
      .set({ state: 'proven', trusted_at: now })
      .where('user_id', '=', userId)
      .where('address', '=', address)
      .where('state', '=', 'pending'),
  )
}

export async function approveAddress(
  db: Database,
  approved: { userId: number; address: string; by: number },
  now: Date,
): Promise<void> {
  const { userId, address, by } = approved
  const trust = { state: 'approved' as const, trusted_at: now, approved_by: by }
  await db
    .insertInto('trusted_addresses')
    .values({ user_id: userId, address, added_at: now, ...trust })
    .onConflict((conflict) => conflict.columns(['user_id', 'address']).doUpdateSet(trust))
    .execute()
}

export async function removeAddress(
  db: Database,
  owner: Owner,
  userId: number,
  address: string,
): Promise<void> {
  refuseForeign(owner, userId)
  await db
    .deleteFrom('trusted_addresses')
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .execute()
}

/** Source addresses of registered phones, which have proven the SIP password. */
export async function registeredFrom(
  db: Database,
  owner: Owner,
  userId: number,
  now: Date,
): Promise<string[]> {
  const rows = await db
    .selectFrom('registrations')
    .select('address')
    .distinct()
    .where('user_id', '=', userId)
    .where(ofOwner(owner, 'user_id'))
    .where('expires_at', '>', now)
    .execute()
  return rows.map(({ address }) => address)
}

/** Hosts of carriers, server addresses shown to customers, and hosts that switches have reported as their own since then. */
export async function serviceHosts(db: Database, _scope: AllUsers, switchesSince: Date): Promise<string[]> {
  const { rows } = await sql<{ host: string }>`
    select host from trunks
    union select regexp_replace(sip_address, ':[0-9]+$', '') from switches
           where sip_address is not null and last_seen_at > ${switchesSince}
    union select websiteip from users where websiteip is not null
    union select value from service_settings where name = ${WEBSITE_IP}`.execute(db)
  return rows.map(({ host }) => host)
}

export async function removeAllAddresses(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('trusted_addresses').where('user_id', '=', userId).execute()
}
