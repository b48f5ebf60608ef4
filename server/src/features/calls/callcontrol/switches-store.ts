import type { AllUsers } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

export type KnownSwitch = { startedAt: Date; lastSeenAt: Date }

/** What is known of a switch, as it was before it was heard now; a new one is written down. */
export async function meetSwitch(
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

/** The switch lives, in this life of it. Never back: of several call controls the last to have heard it is right. */
export async function seeSwitch(
  db: Database,
  seen: { switchId: string; software: string; startedAt: Date; heardAt: Date },
): Promise<void> {
  await sql`
    update switches
       set software = ${seen.software}, started_at = greatest(started_at, ${seen.startedAt}::timestamptz),
           last_seen_at = greatest(last_seen_at, ${seen.heardAt}::timestamptz)
     where switch_id = ${seen.switchId}`.execute(db)
}

/** Switches with live calls that nobody has heard since then. */
export async function findDeadSwitches(
  db: Database,
  _scope: AllUsers,
  since: Date,
): Promise<{ switchId: string; lastSeenAt: Date }[]> {
  // One that was never written down, because everything died in its first moment, was alive when its last call began.
  const { rows } = await sql<{ switch_id: string; last_seen_at: Date }>`
    select switch_id, last_seen_at
      from (select l.switch_id, coalesce(s.last_seen_at, l.begun_at) as last_seen_at
              from (select switch_id, max(started_at) as begun_at from live_calls group by switch_id) as l
              left join switches as s using (switch_id)) as seen
     where last_seen_at < ${since}`.execute(db)
  return rows.map((row) => ({ switchId: row.switch_id, lastSeenAt: row.last_seen_at }))
}

/** Is it still unheard? Asked in the transaction that closes its calls; until that ends nobody can say that it was heard. */
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

/** The newest word on a contact stands. Lost in a crash it is said again with the next refresh: it need not wait for the disk. */
export async function register(db: Database, phones: readonly Registration[]): Promise<void> {
  await sql`/* register_phones */
    with hurry as materialized (select set_config('synchronous_commit', 'off', true))
    insert into registrations (switch_id, user_id, contact, address, device, registered_at, expires_at)
    select distinct on ("switchId", "userId", contact)
           "switchId", users.id, contact, address, device, "registeredAt", "expiresAt"
      from hurry, jsonb_to_recordset(${JSON.stringify(phones)}::jsonb)
        as told ("switchId" text, "userId" integer, contact text, address text, device text,
                 "registeredAt" timestamptz, "expiresAt" timestamptz)
      join users on users.id = told."userId"
     order by "switchId", "userId", contact, "registeredAt" desc
    on conflict (switch_id, user_id, contact) do update
       set address = excluded.address, device = excluded.device,
           registered_at = excluded.registered_at, expires_at = excluded.expires_at
     where registrations.registered_at <= excluded.registered_at`.execute(db)
}

/** `*` stands for all phones of the user. */
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

/** Names of disabled users whose phones are still registered with this switch. */
export async function disabledButRegistered(
  db: Database,
  _scope: AllUsers,
  switchId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('username')
    .where('disabled_at', 'is not', null)
    .where('id', 'in', (query) =>
      query.selectFrom('registrations').select('user_id').where('switch_id', '=', switchId),
    )
    .execute()
  return rows.map(({ username }) => username)
}

export async function forgetExpired(db: Database, _scope: AllUsers, now: Date): Promise<void> {
  await db.deleteFrom('registrations').where('expires_at', '<', now).execute()
}
