import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { findsRow } from '../../../platform/rows.ts'

/** Speech that was made from texts. It belongs to no user. */

type Laws = { alaw: Buffer; ulaw: Buffer }

export const findSpoken = (db: Database, key: string): Promise<(Laws & { used_at: Date }) | undefined> =>
  db.selectFrom('spoken_texts').select(['alaw', 'ulaw', 'used_at']).where('key', '=', key).executeTakeFirst()

export const isSpoken = (db: Database, key: string): Promise<boolean> =>
  findsRow(db.selectFrom('spoken_texts').select('key').where('key', '=', key))

export async function saveSpoken(db: Database, key: string, { alaw, ulaw }: Laws, now: Date): Promise<void> {
  await db
    .insertInto('spoken_texts')
    .values({ key, alaw, ulaw, used_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ used_at: now }))
    .execute()
}

export async function touchSpoken(db: Database, key: string, now: Date): Promise<void> {
  await db.updateTable('spoken_texts').set({ used_at: now }).where('key', '=', key).execute()
}

/** Keeps at most so many texts and bytes, those that were used last. */
export async function deleteUnusedSpoken(
  db: Database,
  { unusedSince, texts, bytes }: { unusedSince: Date; texts: number; bytes: number },
): Promise<void> {
  await sql`
    delete from spoken_texts using (
      select key, row_number() over newest as texts, sum(octet_length(alaw) + octet_length(ulaw)) over newest as bytes
        from spoken_texts window newest as (order by used_at desc, key)) as counted
     where counted.key = spoken_texts.key
       and (used_at < ${unusedSince} or counted.texts > ${texts}::integer or counted.bytes > ${bytes}::bigint)`.execute(
    db,
  )
}
