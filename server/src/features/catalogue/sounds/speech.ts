import type { Language } from '@trunkline/domain/flows'
import type { Encoded } from '@trunkline/media/endpoint'
import type { Audio } from '../../../platform/audio.ts'
import { type Clock, DAY, earlier } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { fingerprint } from '../../../platform/tokens.ts'
import { deleteUnusedSpoken, findSpoken, saveSpoken, touchSpoken } from './spoken-store.ts'

export type Speak = Audio['speak']

export type Speech = ReturnType<typeof createSpeech>

const UNUSED_DAYS = 60
/** About 2 GB. */
const KEPT_TEXTS = 20_000

/** Speech for texts, made once and kept for all customers. */
export function createSpeech(db: Database, clock: Clock, speak: Speak) {
  return {
    async say(text: string, language: Language): Promise<Encoded | null> {
      const key = fingerprint(`${language}\n${text}`)
      const now = clock.now()
      const kept = await findSpoken(db, key)
      if (kept) {
        if (kept.used_at < earlier(now, DAY)) await touchSpoken(db, key, now)
        return { alaw: kept.alaw, ulaw: kept.ulaw }
      }
      const made = await speak(text, language)
      if (made) await saveSpoken(db, key, { alaw: Buffer.from(made.alaw), ulaw: Buffer.from(made.ulaw) }, now)
      return made
    },

    forgetUnused: (kept = KEPT_TEXTS): Promise<void> =>
      deleteUnusedSpoken(db, { unusedSince: earlier(clock.now(), UNUSED_DAYS * DAY), kept }),
  }
}
