import { SOUND_SECONDS_MAX } from '@trunkline/contract/limits'
import type { Language } from '@trunkline/domain/flows'
import type { Encoded } from '@trunkline/media/endpoint'
import type { Audio } from '../../../platform/audio.ts'
import { type Clock, DAY, earlier, HOUR } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { fingerprint } from '../../../platform/tokens.ts'
import type { Limit } from '../../identity/attempts/service.ts'
import { deleteUnusedSpoken, findSpoken, isSpoken, saveSpoken, touchSpoken } from './spoken-store.ts'

export type Speak = Audio['speak']

export type Speech = ReturnType<typeof createSpeech>

const UNUSED_DAYS = 60
const KEPT_TEXTS = 20_000
/** A text of two minutes has 2 MB, an ordinary one 0.1 MB. */
const KEPT_BYTES = 2 * 1024 ** 3
/** A-law and µ-law have 8,000 bytes per second. */
const MAX_BYTES = SOUND_SECONDS_MAX * 8_000
const SPOKEN_PER_HOUR = 300

/** For texts that a customer listens to, and for new texts of published flows. */
export const spokenLimit = (userId: number): Limit => ({
  key: `texts spoken for user ${userId}`,
  max: SPOKEN_PER_HOUR,
  windowMs: HOUR,
})

const keyOf = (text: string, language: Language): string => fingerprint(`${language}\n${text}`)

const cut = ({ alaw, ulaw }: Encoded): Encoded => ({
  alaw: alaw.subarray(0, MAX_BYTES),
  ulaw: ulaw.subarray(0, MAX_BYTES),
})

/** Speech for texts, made once and kept for all customers. */
export function createSpeech(db: Database, clock: Clock, speak: Speak) {
  return {
    async say(text: string, language: Language): Promise<Encoded | null> {
      const key = keyOf(text, language)
      const now = clock.now()
      const kept = await findSpoken(db, key)
      if (kept) {
        if (kept.used_at < earlier(now, DAY)) await touchSpoken(db, key, now)
        return { alaw: kept.alaw, ulaw: kept.ulaw }
      }
      const spoken = await speak(text, language)
      if (!spoken) return null
      const made = cut(spoken)
      await saveSpoken(db, key, { alaw: Buffer.from(made.alaw), ulaw: Buffer.from(made.ulaw) }, now)
      return made
    },

    isKept: (text: string, language: Language): Promise<boolean> => isSpoken(db, keyOf(text, language)),

    forgetUnused: ({ texts = KEPT_TEXTS, bytes = KEPT_BYTES } = {}): Promise<void> =>
      deleteUnusedSpoken(db, { unusedSince: earlier(clock.now(), UNUSED_DAYS * DAY), texts, bytes }),
  }
}
