import type { Owner } from '@trunkline/domain/access'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { deletesRow } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type ViewRow = Selectable<Tables['saved_views']>

export const listViews = (db: Database, owner: Owner, screen: string): Promise<ViewRow[]> =>
  db
    .selectFrom('saved_views')
    .selectAll()
    .where('user_id', '=', owner.userId)
    .where('screen', '=', screen)
    .orderBy(sql`lower(name)`)
    .execute()

/** Replaces a view with the same name. Null if that would be more than `most`. */
export async function saveView(
  db: Database,
  owner: Owner,
  view: { screen: string; name: string; query: string },
  { most, now }: { most: number; now: Date },
): Promise<ViewRow | null> {
  return await db.transaction().execute(async (tx) => {
    // Serializes the views of a user, so that two requests cannot pass the limit together.
    await sql`select from users where id = ${owner.userId} for no key update`.execute(tx)
    const { rows } = await sql<ViewRow>`
      insert into saved_views (user_id, screen, name, query, created_at)
      select ${owner.userId}::integer, ${view.screen}, ${view.name}, ${view.query}, ${now}::timestamptz
       where (select count(*) from saved_views 
              where user_id = ${owner.userId} and (screen, name) <> (${view.screen}, ${view.name})) < ${most}
      on conflict (user_id, screen, name) do update set query = excluded.query
      returning *`.execute(tx)
    return rows[0] ?? null
  })
}

export const deleteView = (db: Database, owner: Owner, id: number): Promise<boolean> =>
  deletesRow(db.deleteFrom('saved_views').where('user_id', '=', owner.userId).where('id', '=', id))
