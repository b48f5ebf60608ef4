import type { AllUsers } from '@trunkline/domain/access'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { PlannedRow, Target } from './plan.ts'

export type BulkActionRow = Selectable<Tables['bulk_actions']>

export async function readTargets(
  db: Database,
  _scope: AllUsers,
  userIds: readonly number[],
  country: string | null,
): Promise<Omit<Target, 'admin'>[]> {
  const { rows } = await sql<Omit<Target, 'admin'>>`
    select users.id, users.username, users.is_admin, users.is_premium, users.disabled_at, users.merged_into,
           array(select tag from user_tags where user_tags.user_id = users.id order by tag) as tags,
           (select jsonb_build_object('id', routes.id, 'name', routes.name, 'plan_name', plans.name)
              from selected_routes
              join routes on routes.id = selected_routes.route_id
              join plans on plans.id = routes.plan_id
             where selected_routes.user_id = users.id and selected_routes.country = ${country}) as route
      from users where users.id = any(${[...userIds]}::integer[])`.execute(db)
  return rows
}

export async function insertBulkAction(
  db: Database,
  _scope: AllUsers,
  { actorId, action }: { actorId: number; action: object },
  rows: readonly PlannedRow[],
  now: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('bulk_actions')
    .values({ actor_id: actorId, action: JSON.stringify(action), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const planned = rows.map(({ userId, skipped, before, after }) => ({
    user_id: userId,
    skipped,
    before,
    after,
  }))
  await sql`
    insert into bulk_rows (bulk_id, place, user_id, skipped, before, after)
    select ${id}, place, (row ->> 'user_id')::integer, row ->> 'skipped', row -> 'before', row -> 'after'
      from jsonb_array_elements(${JSON.stringify(planned)}::jsonb) with ordinality as given (row, place)`.execute(
    db,
  )
  return id
}

/** Deletes previews that are older. */
export async function deleteBulkActions(db: Database, _scope: AllUsers, before: Date): Promise<void> {
  await db.deleteFrom('bulk_actions').where('created_at', '<', before).execute()
}

/** Administrators see and apply only their own previews. */
const bulkActionOf = (db: Database, userId: number, id: number) =>
  db.selectFrom('bulk_actions').selectAll().where('id', '=', id).where('actor_id', '=', userId)

export const findBulkAction = (
  db: Database,
  userId: number,
  id: number,
): Promise<BulkActionRow | undefined> => bulkActionOf(db, userId, id).executeTakeFirst()

export const lockBulkAction = (
  db: Database,
  userId: number,
  id: number,
): Promise<BulkActionRow | undefined> => bulkActionOf(db, userId, id).forUpdate().executeTakeFirst()

export type BulkRowOfUser = Selectable<Tables['bulk_rows']> & { username: string }

export const listBulkRows = (
  db: Database,
  _scope: AllUsers,
  bulkId: number,
  { after, limit }: { after: number; limit?: number },
): Promise<BulkRowOfUser[]> =>
  db
    .selectFrom('bulk_rows')
    .innerJoin('users', 'users.id', 'bulk_rows.user_id')
    .selectAll('bulk_rows')
    .select('users.username')
    .where('bulk_id', '=', bulkId)
    .where('place', '>', after)
    .orderBy('place')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()

export async function markApplied(db: Database, _scope: AllUsers, id: number, now: Date): Promise<void> {
  await db.updateTable('bulk_actions').set({ applied_at: now }).where('id', '=', id).execute()
}

const ids = (userIds: readonly number[]) => sql`${[...userIds]}::integer[]`

export async function addTagToAll(
  db: Database,
  _scope: AllUsers,
  userIds: readonly number[],
  tag: string,
): Promise<void> {
  await sql`insert into user_tags (user_id, tag) select id, ${tag} from unnest(${ids(userIds)}) as given (id)`.execute(
    db,
  )
}

export async function removeTagFromAll(
  db: Database,
  _scope: AllUsers,
  userIds: readonly number[],
  tag: string,
): Promise<void> {
  await sql`delete from user_tags where tag = ${tag} and user_id = any(${ids(userIds)})`.execute(db)
}

export async function setPremiumOfAll(
  db: Database,
  _scope: AllUsers,
  userIds: readonly number[],
  isPremium: boolean,
): Promise<void> {
  await sql`update users set is_premium = ${isPremium} where id = any(${ids(userIds)})`.execute(db)
}

/** A disabled user is signed out everywhere. */
export async function setDisabledOfAll(
  db: Database,
  _scope: AllUsers,
  userIds: readonly number[],
  disabledAt: Date | null,
): Promise<void> {
  await sql`update users set disabled_at = ${disabledAt} where id = any(${ids(userIds)})`.execute(db)
  if (disabledAt !== null) await sql`delete from sessions where user_id = any(${ids(userIds)})`.execute(db)
}

export async function selectRouteForAll(
  db: Database,
  _scope: AllUsers,
  userIds: readonly number[],
  route: { id: number; country: string },
  now: Date,
): Promise<void> {
  await sql`
    insert into selected_routes (user_id, country, route_id, selected_at)
    select id, ${route.country}, ${route.id}, ${now} from unnest(${ids(userIds)}) as given (id)
    on conflict (user_id, country) do update
    set route_id = excluded.route_id, selected_at = excluded.selected_at`.execute(db)
}
