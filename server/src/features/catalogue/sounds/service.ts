import { Refusal } from '@trunkline/contract/errors'
import { SOUNDS_MAX } from '@trunkline/contract/limits'
import type { SoundView } from '@trunkline/contract/sounds'
import { type Caller, type Owner, ownDataOf } from '@trunkline/domain/access'
import type { Language } from '@trunkline/domain/flows'
import type { Audio } from '../../../platform/audio.ts'
import { type Clock, HOUR } from '../../../platform/clock.ts'
import { type Database, refuseDuplicate } from '../../../platform/database.ts'
import { FileAnswer } from '../../../platform/handler.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { AttemptLimits, Limit } from '../../identity/attempts/service.ts'
import { encodeGiven } from './given-sound.ts'
import { type Speech, spokenLimit } from './speech.ts'
import {
  countSoundsLocked,
  deleteSound,
  findSound,
  insertSound,
  isGreeting,
  listSounds,
  lockSound,
  readSound,
  renameSound,
  type ShownSoundRow,
  SOUND_NAME_INDEX,
} from './store.ts'

export type Sounds = ReturnType<typeof createSounds>

type Deps = {
  db: Database
  clock: Clock
  attempts: AttemptLimits
  speech: Speech
  audio: Pick<Audio, 'encode' | 'toWav'>
}

const ADDED_PER_HOUR = 60

/** The customer's library of sounds, and texts spoken as a preview. */
export function createSounds({ db, clock, attempts, speech, audio }: Deps) {
  async function show(owner: Owner, id: number): Promise<SoundView> {
    return view(requireFound(await findSound(db, owner, id)))
  }

  async function allow(limit: Limit): Promise<void> {
    await attempts.require([limit])
  }

  return {
    list: async (caller: Caller): Promise<SoundView[]> => (await listSounds(db, ownDataOf(caller))).map(view),

    async add(
      caller: Caller,
      { name, origin, wav }: { name: string; origin: 'upload' | 'microphone'; wav: string },
    ): Promise<SoundView> {
      await allow({
        key: `sounds added by user ${caller.userId}`,
        max: ADDED_PER_HOUR,
        windowMs: HOUR,
      })
      const { sound, seconds } = await encodeGiven(audio, wav)
      const id = await db
        .transaction()
        .execute(async (tx) => {
          if ((await countSoundsLocked(tx, caller.userId)) >= SOUNDS_MAX) throw new Refusal('too_many_sounds')
          return insertSound(tx, {
            user_id: caller.userId,
            name,
            origin,
            seconds,
            alaw: Buffer.from(sound.alaw),
            ulaw: Buffer.from(sound.ulaw),
            created_at: clock.now(),
          })
        })
        .catch(orTaken)
      return show(ownDataOf(caller), id)
    },

    async rename(caller: Caller, id: number, name: string): Promise<SoundView> {
      const owner = ownDataOf(caller)
      await renameSound(db, owner, id, name).catch(orTaken)
      return show(owner, id)
    },

    async remove(caller: Caller, id: number): Promise<void> {
      const owner = ownDataOf(caller)
      await db.transaction().execute(async (tx) => {
        if (!(await lockSound(tx, owner, id))) throw new Refusal('not_found')
        // Reads the uses after the lock: a flow that is being published holds its sounds.
        const row = await findSound(tx, owner, id)
        if ((row && row.used_by.length > 0) || (await isGreeting(tx, owner, id)))
          throw new Refusal('sound_in_use')
        await deleteSound(tx, owner, id)
      })
    },

    async audio(caller: Caller, id: number): Promise<FileAnswer> {
      const row = requireFound(await readSound(db, ownDataOf(caller), id))
      return new FileAnswer(audio.toWav(row.alaw), `${row.name}.wav`)
    },

    async speak(
      caller: Caller,
      { text, language }: { text: string; language: Language },
    ): Promise<FileAnswer> {
      await allow(spokenLimit(caller.userId))
      const spoken = await speech.say(text, language)
      if (!spoken) throw new Refusal('speech_unavailable')
      return new FileAnswer(audio.toWav(spoken.alaw), 'speech.wav')
    },
  }
}

const view = (row: ShownSoundRow): SoundView => ({
  id: row.id,
  name: row.name,
  origin: row.origin,
  seconds: Number(row.seconds),
  created_at: row.created_at.toISOString(),
  used_by: row.used_by,
})

const orTaken = refuseDuplicate(SOUND_NAME_INDEX, 'name_taken')
