import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

type CountedKey = { key: string; windowEndsAt: Date }

/**
 * Counts an attempt for each key and returns the counts, in one statement, so concurrent attempts cannot exceed a
 * limit. Keys are locked in order, which prevents deadlocks.
 */
export async function countAttempts(
  db: Database,
  keys: CountedKey[],
  now: Date,
): Promise<Map<string, number>> {
  const names = keys.map(({ key }) => key)
  const ends = keys.map(({ windowEndsAt }) => windowEndsAt)
  const { rows } = await sql<{ key: string; attempts: number }>`
    insert into attempts (key, attempts, window_ends_at)
    select key, 1, ends from unnest(${names}::text[], ${ends}::timestamptz[]) as counted (key, ends) order by key
    on conflict (key) do update set
      attempts = case when attempts.window_ends_at <= ${now} then 1 else attempts.attempts + 1 end,
      window_ends_at = case when attempts.window_ends_at <= ${now} then excluded.window_ends_at
                            else attempts.window_ends_at end
    returning key, attempts`.execute(db)
  return new Map(rows.map((row) => [row.key, row.attempts]))
}

export async function giveBackAttempts(db: Database, keys: string[]): Promise<void> {
  await sql`
    with chosen as (select key from attempts where key = any(${keys}::text[]) order by key for update)
    update attempts set attempts = greatest(0, attempts.attempts - 1) from chosen
    where attempts.key = chosen.key`.execute(db)
}

export async function clearAttempts(db: Database, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute()
}

export async function deleteEndedWindows(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('attempts').where('window_ends_at', '<=', now).execute()
}
