import type { AllUsers } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

export type KnownSwitch = { startedAt: Date; lastSeenAt: Date }

/** Returns the stored state of a switch; inserts a new switch. */
export async function findOrAddSwitch(
  db: Database,
  met: { switchId: string; software: string; startedAt: Date },
  now: Date,
): Promise<KnownSwitch> {
  await db
    .insertInto('switches')
    .values({
      switch_id: met.switchId,
      software: met.software,
      started_at: met.startedAt,
      last_seen_at: now,
    })
    .onConflict((conflict) => conflict.column('switch_id').doNothing())
    .execute()
  const row = await db
    .selectFrom('switches')
    .select(['started_at', 'last_seen_at'])
    .where('switch_id', '=', met.switchId)
    .executeTakeFirstOrThrow()
  return { startedAt: row.started_at, lastSeenAt: row.last_seen_at }
}

/** Stores the time of the last message from this instance of the switch. The time never goes back. */
export async function saveLastSeen(
  db: Database,
  seen: { switchId: string; software: string; startedAt: Date; heardAt: Date; sip?: string | undefined },
): Promise<void> {
  await sql`
    update switches
       set software = ${seen.software}, started_at = greatest(started_at, ${seen.startedAt}::timestamptz),
           last_seen_at = greatest(last_seen_at, ${seen.heardAt}::timestamptz),
           sip_address = ${seen.sip ?? null}
     where switch_id = ${seen.switchId}`.execute(db)
}

/** Hosts that the switches have reported as their own, if they were connected since then. */
export async function findSwitchHosts(db: Database, _scope: AllUsers, since: Date): Promise<string[]> {
  const { rows } = await sql<{ host: string }>`
    select distinct regexp_replace(sip_address, ':[0-9]+$', '') as host from switches
     where sip_address is not null and last_seen_at > ${since}`.execute(db)
  return rows.map(({ host }) => host)
}

/** Switches with live calls that have sent no message since then. */
export async function findDeadSwitches(
  db: Database,
  _scope: AllUsers,
  since: Date,
): Promise<{ switchId: string; lastSeenAt: Date }[]> {
  // Without a stored row, the last message of a switch is the start of its last call.
  const { rows } = await sql<{ switch_id: string; last_seen_at: Date }>`
    select switch_id, last_seen_at
      from (select l.switch_id, coalesce(s.last_seen_at, l.begun_at) as last_seen_at
              from (select switch_id, max(started_at) as begun_at from live_calls group by switch_id) as l
              left join switches as s using (switch_id)) as seen
     where last_seen_at < ${since}`.execute(db)
  return rows.map((row) => ({ switchId: row.switch_id, lastSeenAt: row.last_seen_at }))
}

/** Locks the switch's row and checks that it is still unheard, in the transaction that closes its calls. */
export async function isStillDead(db: Database, switchId: string, since: Date): Promise<boolean> {
  const { rows } = await sql<{ last_seen_at: Date }>`
    select last_seen_at from switches where switch_id = ${switchId} for share`.execute(db)
  return rows[0] === undefined || rows[0].last_seen_at < since
}

export type Registration = {
  switchId: string
  userId: number
  contact: string
  address: string
  device: string
  registeredAt: Date
  expiresAt: Date
}

/** The newest event of a contact wins. It does not wait for the disk, because phones refresh their registration. */
export async function register(db: Database, phones: readonly Registration[]): Promise<void> {
  await sql`/* register_phones */
    with hurry as materialized (select set_config('synchronous_commit', 'off', true))
    insert into registrations (switch_id, user_id, contact, address, device, registered_at, expires_at)
    select distinct on ("switchId", "userId", contact)
           "switchId", users.id, contact, address, device, "registeredAt", "expiresAt"
      from hurry, jsonb_to_recordset(${JSON.stringify(phones)}::jsonb)
        as reported ("switchId" text, "userId" integer, contact text, address text, device text,
                 "registeredAt" timestamptz, "expiresAt" timestamptz)
      join users on users.id = reported."userId"
     order by "switchId", "userId", contact, "registeredAt" desc
    on conflict (switch_id, user_id, contact) do update
       set address = excluded.address, device = excluded.device,
           registered_at = excluded.registered_at, expires_at = excluded.expires_at
     where registrations.registered_at <= excluded.registered_at`.execute(db)
}

/** `*` means all phones of the user. */
export async function unregister(
  db: Database,
  gone: { switchId: string; userId: number; contact: string; at: Date },
): Promise<void> {
  await db
    .deleteFrom('registrations')
    .where('switch_id', '=', gone.switchId)
    .where('user_id', '=', gone.userId)
    .$if(gone.contact !== '*', (query) => query.where('contact', '=', gone.contact))
    .where('registered_at', '<=', gone.at)
    .execute()
}

/** Phones that are registered at a switch. */
export async function readRegistered(db: Database, _scope: AllUsers, switchId: string, now: Date) {
  const rows = await db
    .selectFrom('registrations')
    .innerJoin('users', 'users.id', 'registrations.user_id')
    .select(['users.username', 'contact', 'expires_at'])
    .where('switch_id', '=', switchId)
    .where('expires_at', '>', now)
    .execute()
  return rows.map(({ username, contact, expires_at }) => ({ username, contact, expiresAt: expires_at }))
}

/** The username is in lower case. */
export type ListedPhone = { username: string; contact: string }

/** Deletes phones of a switch that are older than its list and not in it. Returns them. */
export async function forgetUnlisted(
  db: Database,
  _scope: AllUsers,
  switchId: string,
  before: Date,
  listed: readonly ListedPhone[],
): Promise<ListedPhone[]> {
  const { rows } = await sql<ListedPhone>`
    delete from registrations using users
     where users.id = user_id and switch_id = ${switchId} and registered_at <= ${before}
       and (lower(username), contact) not in (
         select listed.username, listed.contact
           from jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as listed (username text, contact text))
    returning lower(username) as username, contact`.execute(db)
  return rows
}

export async function forgetExpired(db: Database, _scope: AllUsers, now: Date): Promise<void> {
  await db.deleteFrom('registrations').where('expires_at', '<', now).execute()
}
