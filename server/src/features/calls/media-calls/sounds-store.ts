import type { Language } from '@trunkline/domain/flows'
import type { Encoded } from '@trunkline/media/endpoint'
import type { Database } from '../../../platform/database.ts'

export async function readEncoded(db: Database, userId: number, soundId: number): Promise<Encoded | null> {
  const row = await db
    .selectFrom('sounds')
    .select(['alaw', 'ulaw'])
    .where('id', '=', soundId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

export type Greeting = { soundId: number | null; text: string; language: Language }

export async function readGreeting(db: Database, userId: number): Promise<Greeting> {
  const row = await db
    .selectFrom('voicemail_settings')
    .select(['greeting_sound_id', 'greeting_text', 'language'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return {
    soundId: row?.greeting_sound_id ?? null,
    text: row?.greeting_text ?? '',
    language: row?.language ?? 'en',
  }
}

/** Adds the sound to the library and makes it the greeting. */
export async function saveGreeting(
  db: Database,
  userId: number,
  { sound, name, seconds, now }: { sound: Encoded; name: string; seconds: number; now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('sounds')
      .values({
        user_id: userId,
        name,
        origin: 'phone',
        seconds,
        alaw: Buffer.from(sound.alaw),
        ulaw: Buffer.from(sound.ulaw),
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('voicemail_settings')
      .values({ user_id: userId, greeting_sound_id: id })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(({ eb }) => ({
          greeting_sound_id: id,
          version: eb('voicemail_settings.version', '+', 1),
        })),
      )
      .execute()
  })
}
