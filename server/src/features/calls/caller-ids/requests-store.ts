import type { CallerIdState } from '@trunkline/contract/caller-ids'
import type { AllUsers, Owner } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { beforeId, countRows, findsRow, ofOwner, refuseForeign } from '../../../platform/rows.ts'

export type RequestRow = Awaited<ReturnType<typeof listRequests>>[number]
export type RequestFilter = {
  state: CallerIdState
  search?: string | undefined
  before?: number | undefined
  limit: number
}

const requests = (db: Database, owner: Owner) =>
  db
    .selectFrom('caller_id_requests')
    .innerJoin('users', 'users.id', 'caller_id_requests.user_id')
    .leftJoin('users as clerk', 'clerk.id', 'caller_id_requests.decided_by')
    .selectAll('caller_id_requests')
    .select(['users.username', 'users.company', 'clerk.username as clerk_name'])
    .where(ofOwner(owner, 'caller_id_requests.user_id'))

/** Newest first; searched by the prefix of a username or number. */
export const listRequests = (db: Database, owner: Owner, filter: RequestFilter) =>
  requests(db, owner)
    .where('caller_id_requests.state', '=', filter.state)
    .where(beforeId('caller_id_requests.id', filter.before))
    .$if(filter.search !== undefined, (query) =>
      query.where(
        sql<boolean>`(starts_with(caller_id_requests.callerid, ltrim(${filter.search}::text, '+'))
                      or starts_with(lower(users.username), lower(${filter.search}::text)))`,
      ),
    )
    .orderBy('caller_id_requests.id', 'desc')
    .limit(filter.limit)
    .execute()

export const findRequest = (db: Database, owner: Owner, id: number): Promise<RequestRow | undefined> =>
  requests(db, owner).where('caller_id_requests.id', '=', id).executeTakeFirst()

/** The decision on this number for this user. */
export const findDecision = (db: Database, owner: Owner, userId: number, callerid: string) =>
  db
    .selectFrom('caller_id_requests')
    .select(['state', 'note', 'decided_at'])
    .where('user_id', '=', userId)
    .where('callerid', '=', callerid)
    .where(ofOwner(owner, 'user_id'))
    .executeTakeFirst()

export const countPending = (db: Database, _scope: AllUsers): Promise<number> =>
  countRows(db.selectFrom('caller_id_requests').where('state', '=', 'pending'))

/** Withdraws pending requests for other numbers. */
export async function withdrawOthers(
  db: Database,
  owner: Owner,
  userId: number,
  callerid: string,
): Promise<void> {
  refuseForeign(owner, userId)
  await db
    .deleteFrom('caller_id_requests')
    .where('user_id', '=', userId)
    .where('callerid', '<>', callerid)
    .where('state', '=', 'pending')
    .execute()
}

/**
 * Requests a number. An approved number stays approved; a rejected one becomes pending again. Pending requests for other numbers are
 * withdrawn. Returns the new state.
 */
export async function requestCallerId(
  db: Database,
  owner: Owner,
  userId: number,
  callerid: string,
  now: Date,
): Promise<CallerIdState> {
  await withdrawOthers(db, owner, userId, callerid)
  const again = { state: 'pending' as const, requested_at: now, decided_at: null, decided_by: null, note: '' }
  await db
    .insertInto('caller_id_requests')
    .values({ user_id: userId, callerid, requested_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'callerid'])
        .doUpdateSet(again)
        .where('caller_id_requests.state', '=', 'rejected'),
    )
    .execute()
  return (await findDecision(db, owner, userId, callerid))?.state ?? 'pending'
}

export async function decideRequest(
  db: Database,
  _scope: AllUsers,
  id: number,
  decision: { state: 'approved' | 'rejected'; note: string; by: number },
  now: Date,
): Promise<void> {
  const { state, note, by } = decision
  await db
    .updateTable('caller_id_requests')
    .set({ state, note, decided_by: by, decided_at: now })
    .where('id', '=', id)
    .execute()
}

/** Locks the row, so that decisions are serialized; returns false if there is none. */
export const lockRequest = (db: Database, _scope: AllUsers, id: number): Promise<boolean> =>
  findsRow(db.selectFrom('caller_id_requests').select('id').where('id', '=', id).forUpdate())
