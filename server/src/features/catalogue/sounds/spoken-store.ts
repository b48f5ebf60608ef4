import type { Database } from '../../../platform/database.ts'

/** Speech that was made from texts. It belongs to no user. */

type Laws = { alaw: Buffer; ulaw: Buffer }

export const findSpoken = (db: Database, key: string): Promise<(Laws & { used_at: Date }) | undefined> =>
  db.selectFrom('spoken_texts').select(['alaw', 'ulaw', 'used_at']).where('key', '=', key).executeTakeFirst()

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

/** Keeps at most `kept` texts, those that were used last. */
export async function deleteUnusedSpoken(
  db: Database,
  { unusedSince, kept }: { unusedSince: Date; kept: number },
): Promise<void> {
  await db
    .deleteFrom('spoken_texts')
    .where((row) =>
      row.or([
        row('used_at', '<', unusedSince),
        row(
          'key',
          'in',
          row.selectFrom('spoken_texts').select('key').orderBy('used_at', 'desc').offset(kept),
        ),
      ]),
    )
    .execute()
}
