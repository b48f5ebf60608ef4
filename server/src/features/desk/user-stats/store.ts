import type { AllUsers } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

/** Maintained by triggers. */
export async function readTotal(db: Database): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(users), 0)::integer as total from user_totals`.execute(db)
  return rows[0]?.total ?? 0
}

type ActiveUsers = { active: number; countedAt: Date }

export const readActive = (db: Database): Promise<ActiveUsers | undefined> =>
  db
    .selectFrom('user_figures')
    .select(['active_users as active', 'counted_at as countedAt'])
    .executeTakeFirst()

/**
 * Users who are not disabled and signed in or called since then. Sign-ins use an index range, calls need one index lookup per
 * other user. The cost grows with the users, not with their calls.
 */
export async function countActive(db: Database, _scope: AllUsers, since: Date): Promise<number> {
  const { rows } = await sql<{ active: number }>`
    select count(*)::integer as active from users
     where disabled_at is null
       and (id in (select user_id from known_addresses where last_used_at >= ${since})
            or (select true from account_days
                 where user_id = users.id and day >= date_trunc('day', ${since}::timestamptz, 'UTC')
                 limit 1))`.execute(db)
  return rows[0]?.active ?? 0
}

export async function saveActive(db: Database, { active, countedAt }: ActiveUsers): Promise<void> {
  const counted = { active_users: active, counted_at: countedAt }
  await db
    .insertInto('user_figures')
    .values(counted)
    .onConflict((conflict) => conflict.column('one').doUpdateSet(counted))
    .execute()
}
