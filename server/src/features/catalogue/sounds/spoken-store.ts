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

export async function deleteUnusedSpoken(db: Database, unusedSince: Date): Promise<void> {
  await db.deleteFrom('spoken_texts').where('used_at', '<', unusedSince).execute()
}
