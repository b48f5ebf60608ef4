import type { Owner } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

export type UserCounts = { total: number; active: number }

/**
 * Active: not disabled, and signed in or called since then. Sign-ins are a range of an index; of everybody else one look at
 * the first of their days is enough. So it grows with the users, not with the calls they made.
 */
export async function countUsers(db: Database, _owner: Owner, since: Date): Promise<UserCounts> {
  const { rows } = await sql<UserCounts>`
    select (select count(*) from users)::integer as total,
           (select count(*) from users
             where disabled_at is null
               and (id in (select user_id from known_addresses where last_used_at >= ${since})
                    or (select true from account_days
                         where user_id = users.id and day >= date_trunc('day', ${since}::timestamptz, 'UTC')
                         limit 1)))::integer as active`.execute(db)
  return rows[0] ?? { total: 0, active: 0 }
}
