import type { AllUsers } from '@trunkline/domain/access'
import { INVOICE_STATES, isOpen } from '@trunkline/domain/payments'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

const OPEN_STATES = INVOICE_STATES.filter(isOpen)

export type MergeFacts = {
  balance_micros: bigint
  held_micros: bigint
  into_balance_micros: bigint
  live_calls: number
  open_payments: number
  notes: number
  tickets: number
  numbers: number
  flows: number
  sounds: number
  voicemails: number
  sessions: number
  call_days: number
}

/** Locks both accounts in the order of the ledger, so that the balances cannot change until the end of the transaction. */
export async function lockAccounts(
  db: Database,
  _scope: AllUsers,
  userIds: readonly number[],
): Promise<void> {
  await sql`
    select from accounts where user_id = any(${[...userIds]}::integer[])
     order by user_id for no key update`.execute(db)
}

/** Locks the numbers of a user, then their rentals. Renewals lock both before the account. */
export async function lockNumbers(db: Database, _scope: AllUsers, userId: number): Promise<void> {
  await sql`select from numbers where user_id = ${userId} order by id for update`.execute(db)
  await sql`
    select from number_rentals where user_id = ${userId} and state <> 'ended' order by id for update`.execute(
    db,
  )
}

export async function readMergeFacts(
  db: Database,
  _scope: AllUsers,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<MergeFacts> {
  const { rows } = await sql<MergeFacts>`
    select source.balance_micros, source.held_micros, target.balance_micros as into_balance_micros,
           (select count(*) from live_calls where user_id = ${fromId})::integer as live_calls,
           (select count(*) from invoices
             where user_id = ${fromId} and (state = any(${OPEN_STATES}::text[]) or open_reviews > 0))::integer as open_payments,
           (select count(*) from user_notes where user_id = ${fromId})::integer as notes,
           (select count(*) from tickets where user_id = ${fromId})::integer as tickets,
           (select count(*) from numbers where user_id = ${fromId})::integer as numbers,
           (select count(*) from flows where user_id = ${fromId})::integer as flows,
           (select count(*) from sounds where user_id = ${fromId})::integer as sounds,
           (select count(*) from voicemails where user_id = ${fromId})::integer as voicemails,
           (select count(*) from sessions where user_id = ${fromId})::integer as sessions,
           (select count(*) from account_days where user_id = ${fromId})::integer as call_days
      from accounts as source, accounts as target
     where source.user_id = ${fromId} and target.user_id = ${intoId}`.execute(db)
  if (!rows[0]) throw new Error('every user has an account')
  return rows[0]
}

/** The addresses that the target does not have yet, oldest first, as far as there is room. */
export async function findMovingAddresses(
  db: Database,
  _scope: AllUsers,
  { fromId, intoId }: { fromId: number; intoId: number },
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from trusted_addresses
     where user_id = ${fromId}
       and address not in (select address from trusted_addresses where user_id = ${intoId})
     order by id
     limit greatest(0, ${most} - (select count(*) from trusted_addresses where user_id = ${intoId}))`.execute(
    db,
  )
  return rows.map(({ address }) => address)
}

type Move = { fromId: number; intoId: number; tags: readonly string[]; addresses: readonly string[] }

/**
 * Moves notes, tickets, tags, trusted addresses, numbers, and the flows, sounds and messages that belong to them. Ended rentals, recordings
 * and permission to record stay with the old account. The pinned note of the target stays pinned.
 */
export async function moveBelongings(
  db: Database,
  _scope: AllUsers,
  { fromId, intoId, tags, addresses }: Move,
): Promise<void> {
  await sql`
    update user_notes set is_pinned = false
     where user_id = ${fromId} and is_pinned
       and exists (select from user_notes where user_id = ${intoId} and is_pinned)`.execute(db)
  await sql`update user_notes set user_id = ${intoId} where user_id = ${fromId}`.execute(db)
  await sql`update tickets set user_id = ${intoId} where user_id = ${fromId}`.execute(db)
  await sql`delete from user_tags where user_id = ${fromId}`.execute(db)
  await sql`
    insert into user_tags (user_id, tag) select ${intoId}, tag from unnest(${[...tags]}::text[]) as given (tag)`.execute(
    db,
  )
  await sql`
    update trusted_addresses set user_id = ${intoId}
     where user_id = ${fromId} and address = any(${[...addresses]}::text[])`.execute(db)
  await sql`update numbers set user_id = ${intoId} where user_id = ${fromId}`.execute(db)
  await sql`
    update number_rentals set user_id = ${intoId} where user_id = ${fromId} and state <> 'ended'`.execute(db)
  await moveNamed(db, 'flows', { fromId, intoId })
  await moveNamed(db, 'sounds', { fromId, intoId })
  await sql`update voicemails set user_id = ${intoId} where user_id = ${fromId}`.execute(db)
  await sql`
    update voicemail_settings set user_id = ${intoId}
     where user_id = ${fromId} and not exists (select from voicemail_settings where user_id = ${intoId})`.execute(
    db,
  )
}

/** Names are unique per user. */
async function moveNamed(
  db: Database,
  table: 'flows' | 'sounds',
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<void> {
  const moved = sql.table(table)
  await sql`
    update ${moved} as moved
       set user_id = ${intoId},
           name = case when exists (select from ${moved} as kept where kept.user_id = ${intoId} and kept.name = moved.name)
                       then left(moved.name, 85) || ' (' || moved.id || ')' else moved.name end
     where moved.user_id = ${fromId}`.execute(db)
}

export async function markMerged(
  db: Database,
  _scope: AllUsers,
  { fromId, intoId }: { fromId: number; intoId: number },
  now: Date,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ merged_into: intoId, disabled_at: now })
    .where('id', '=', fromId)
    .execute()
}

type Merge = { fromId: number; intoId: number; movedMicros: bigint; requestKey: string; by: number }

export async function insertMerge(db: Database, _scope: AllUsers, merge: Merge, now: Date): Promise<void> {
  await db
    .insertInto('account_merges')
    .values({
      from_id: merge.fromId,
      into_id: merge.intoId,
      moved_micros: merge.movedMicros,
      request_key: merge.requestKey,
      merged_by: merge.by,
      merged_at: now,
    })
    .execute()
}

export const findMerge = (db: Database, _scope: AllUsers, requestKey: string) =>
  db.selectFrom('account_merges').selectAll().where('request_key', '=', requestKey).executeTakeFirst()
