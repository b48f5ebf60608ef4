import type { AllUsers } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'
import { ROW_COUNT } from '../../../platform/rows.ts'

export async function tagsOf(db: Database, _scope: AllUsers, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('user_tags')
    .select('tag')
    .where('user_id', '=', userId)
    .orderBy('tag')
    .execute()
  return rows.map(({ tag }) => tag)
}

export const countTags = (
  db: Database,
  _scope: AllUsers,
  limit: number,
): Promise<{ tag: string; users: number }[]> =>
  db
    .selectFrom('user_tags')
    .select(['tag', ROW_COUNT.as('users')])
    .groupBy('tag')
    .orderBy('users', 'desc')
    .orderBy('tag')
    .limit(limit)
    .execute()

export async function insertTag(db: Database, _scope: AllUsers, userId: number, tag: string): Promise<void> {
  await db.insertInto('user_tags').values({ user_id: userId, tag }).execute()
}

export async function deleteTag(db: Database, _scope: AllUsers, userId: number, tag: string): Promise<void> {
  await db.deleteFrom('user_tags').where('user_id', '=', userId).where('tag', '=', tag).execute()
}
