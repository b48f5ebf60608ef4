import type { AllUsers, Owner } from '@trunkline/domain/access'
import { INNER_LEG_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ofOwner } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type UserRow = Selectable<Tables['users']>
export type UserChange = Omit<Updateable<Tables['users']>, 'id' | 'version' | 'created_at' | 'password_hash'>

/**
 * Locks users in a fixed order, so two administrators who remove each other's rights are serialized without a
 * deadlock.
 */
export async function lockUsers(
  db: Database,
  owner: Owner,
  ids: readonly number[],
): Promise<Map<number, UserRow>> {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', [...ids])
    .where(ofOwner(owner, 'id'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export async function updateUser(db: Database, owner: Owner, id: number, change: UserChange): Promise<void> {
  await db.updateTable('users').set(change).where('id', '=', id).where(ofOwner(owner, 'id')).execute()
}

type UserSurroundings = {
  callerid: string | null
  last_sign_in_at: Date | null
  last_call_on: string | null
  sessions: number
  registrations: number
  live_calls: number
  open_tickets: number
  open_alerts: number
  merged_into: { id: number; username: string } | null
  merged_from: { id: number; username: string }[]
}

/** Data of a user from other tables, each by an index on the user. */
export async function readSurroundings(
  db: Database,
  _scope: AllUsers,
  id: number,
  { now, idleSince }: { now: Date; idleSince: Date },
): Promise<UserSurroundings> {
  const { rows } = await sql<UserSurroundings>`
    select (select callerid from caller_ids where user_id = ${id}) as callerid,
           (select max(last_used_at) from known_addresses where user_id = ${id}) as last_sign_in_at,
           (select to_char(max(day) at time zone 'UTC', 'YYYY-MM-DD') from account_days where user_id = ${id}) as last_call_on,
           (select count(*) from sessions
             where user_id = ${id} and expires_at > ${now} and last_used_at > ${idleSince})::integer as sessions,
           (select count(*) from registrations where user_id = ${id} and expires_at > ${now})::integer as registrations,
           (select count(*) from live_calls where user_id = ${id} and route_id <> ${INNER_LEG_ROUTE_ID})::integer as live_calls,
           (select count(*) from tickets where user_id = ${id} and status = 'open')::integer as open_tickets,
           (select count(*) from alerts where user_id = ${id} and acknowledged_at is null)::integer as open_alerts,
           (select jsonb_build_object('id', target.id, 'username', target.username)
              from users join users as target on target.id = users.merged_into where users.id = ${id}) as merged_into,
           (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'username', username) order by id), '[]')
              from users where merged_into = ${id}) as merged_from`.execute(db)
  if (!rows[0]) throw new Error('a select without a table has one row')
  return rows[0]
}

/** Updates the order of balances and returns the number of changes. */
export async function refreshBalanceOrder(db: Database, _scope: AllUsers): Promise<number> {
  const { numAffectedRows } = await sql`
    update balance_order set balance_micros = accounts.balance_micros
      from accounts
     where accounts.user_id = balance_order.user_id
       and accounts.balance_micros <> balance_order.balance_micros`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
