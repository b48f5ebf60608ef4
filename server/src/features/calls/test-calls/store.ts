import type { AllUsers, Owner } from '@trunkline/domain/access'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { MediaTables } from '../../../platform/media-tables.ts'
import { ofOwner } from '../../../platform/rows.ts'

export type TestCallRow = Selectable<MediaTables['test_calls']>

/** Undefined if a test call of the number is running. One that began before `lostBefore` counts as over. */
export async function insertTestCall(
  db: Database,
  owner: Owner,
  { rentalId, token, now, lostBefore }: { rentalId: number; token: string; now: Date; lostBefore: Date },
): Promise<TestCallRow | undefined> {
  const { rows } = await sql<TestCallRow>`
    insert into test_calls (rental_id, token, state, created_at)
    select id, ${token}, 'waiting', ${now}::timestamptz from number_rentals
     where id = ${rentalId} and ${ofOwner(owner, 'user_id')}
    on conflict (rental_id) do update
       set token = excluded.token, state = excluded.state, created_at = excluded.created_at,
           media_id = null, media_started_at = null, call_id = null, ended_at = null
     where test_calls.ended_at is not null or test_calls.created_at < ${lostBefore}
    returning *`.execute(db)
  return rows[0]
}

export const findTestCall = (
  db: Database,
  owner: Owner,
  rentalId: number,
): Promise<TestCallRow | undefined> =>
  db
    .selectFrom('test_calls')
    .innerJoin('number_rentals', 'number_rentals.id', 'test_calls.rental_id')
    .selectAll('test_calls')
    .where('rental_id', '=', rentalId)
    .where(ofOwner(owner, 'number_rentals.user_id'))
    .executeTakeFirst()

/** A media process takes calls, and a switch that it can call is connected. */
export async function canCall(
  db: Database,
  { mediaSeenAfter, switchSeenAfter }: { mediaSeenAfter: Date; switchSeenAfter: Date },
): Promise<boolean> {
  const { rows } = await sql<{ can_call: boolean }>`
    select exists (select from media_servers where seen_at > ${mediaSeenAfter} and not is_leaving)
       and exists (select from switches where last_seen_at > ${switchSeenAfter} and sip_address is not null) as can_call`.execute(
    db,
  )
  return rows[0]?.can_call === true
}

export type TakenTestCall = { token: string; userId: number }

/** The oldest test call that no media process has taken, now taken by this one. */
export async function takeTestCall(
  db: Database,
  _scope: AllUsers,
  media: { id: string; startedAt: Date },
  waitingSince: Date,
): Promise<TakenTestCall | undefined> {
  const { rows } = await sql<{ token: string; user_id: number }>`
    update test_calls as t
       set state = 'calling', media_id = ${media.id}, media_started_at = ${media.startedAt}
      from number_rentals as r
     where r.id = t.rental_id
       and t.rental_id = (select rental_id from test_calls
                           where state = 'waiting' and created_at > ${waitingSince}
                           order by created_at limit 1 for update skip locked)
    returning t.token, r.user_id`.execute(db)
  const [row] = rows
  return row && { token: row.token, userId: row.user_id }
}

/** A finished test call does not change any more. */
export async function updateTestCall(
  db: Database,
  _scope: AllUsers,
  token: string,
  change: { state?: TestCallRow['state']; ended_at?: Date },
): Promise<void> {
  await db
    .updateTable('test_calls')
    .set(change)
    .where('token', '=', token)
    .where('ended_at', 'is', null)
    .execute()
}

/** A connected switch: one where phones of the customer are registered, if there is any. Host and port. */
export async function findSwitchAddress(
  db: Database,
  userId: number,
  seenAfter: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ sip_address: string }>`
    select sip_address from switches
     where sip_address is not null and last_seen_at > ${seenAfter}
     order by exists (select from registrations
                       where registrations.switch_id = switches.switch_id and registrations.user_id = ${userId}) desc,
              last_seen_at desc
     limit 1`.execute(db)
  return rows[0]?.sip_address
}
