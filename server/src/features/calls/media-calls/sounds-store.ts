import { SOUNDS_MAX } from '@trunkline/contract/limits'
import type { Language } from '@trunkline/domain/flows'
import type { Encoded } from '@trunkline/media/endpoint'
import type { Database } from '../../../platform/database.ts'
import { countSoundsLocked, insertSound } from '../../catalogue/sounds/store.ts'

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

type PhoneSound = { sound: Encoded; name: string; seconds: number; isGreeting: boolean; now: Date }

/** Adds the sound to the library, and makes it the greeting if it is one. False if the library is full. */
export const savePhoneSound = (
  db: Database,
  userId: number,
  { sound, name, seconds, isGreeting, now }: PhoneSound,
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    if ((await countSoundsLocked(tx, userId)) >= SOUNDS_MAX) return false
    const id = await insertSound(tx, {
      user_id: userId,
      name,
      origin: 'phone',
      seconds,
      alaw: Buffer.from(sound.alaw),
      ulaw: Buffer.from(sound.ulaw),
      created_at: now,
    })
    if (isGreeting) await setGreeting(tx, userId, id)
    return true
  })

async function setGreeting(tx: Database, userId: number, soundId: number): Promise<void> {
  await tx
    .insertInto('voicemail_settings')
    .values({ user_id: userId, greeting_sound_id: soundId })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(({ eb }) => ({
        greeting_sound_id: soundId,
        version: eb('voicemail_settings.version', '+', 1),
      })),
    )
    .execute()
}
