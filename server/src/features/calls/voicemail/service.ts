import { Refusal } from '@trunkline/contract/errors'
import type { VoicemailCounts, VoicemailSettings, VoicemailView } from '@trunkline/contract/voicemail'
import { type Caller, type Owner, ownDataOf, system } from '@trunkline/domain/access'
import { countryName } from '@trunkline/domain/countries'
import type { Language } from '@trunkline/domain/flows'
import { parseNumber } from '@trunkline/domain/numbers'
import type { Logger } from 'pino'
import { alawAsWav } from '../../../platform/alaw.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { FileAnswer } from '../../../platform/handler.ts'
import { inBatches } from '../../../platform/in-batches.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { SoundFiles } from '../../../platform/sound-files.ts'
import { lockSounds } from '../../catalogue/sounds/store.ts'
import { mailboxOf } from '../../identity/users/mailbox.ts'
import { findUserById } from '../../identity/users/store.ts'
import { moveToStore } from '../stored-sounds/move-to-store.ts'
import { readVoicemailSettings, saveVoicemailSettings } from './settings-store.ts'
import {
  countVoicemails,
  deleteVoicemail,
  findExpired,
  findVoicemail,
  listVoicemails,
  lockVoicemails,
  markVoicemails,
  type ShownVoicemail,
} from './store.ts'

export type Voicemail = ReturnType<typeof createVoicemail>

type Deps = { db: Database; clock: Clock; logger: Logger; sounds: SoundFiles }
type List = { state?: 'new' | 'read' | undefined; after?: number | undefined; limit: number }
type GivenSettings = {
  greeting_sound_id: number | null
  greeting_text: string
  language: Language
  mails: boolean
  attaches: boolean
  days_kept: number
  version: number
}

/** The file goes first: a row without a file can be deleted again, a file without a row would be forgotten. */
export const removeVoicemails = (
  { db, sounds }: { db: Database; sounds: Pick<SoundFiles, 'remove'> },
  owner: Owner,
  ids: readonly number[],
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    for (const row of await lockVoicemails(tx, owner, ids)) {
      await sounds.remove(row)
      await deleteVoicemail(tx, owner, row.id)
    }
  })

/** The customer's mailbox: messages, their sound and the settings. */
export function createVoicemail({ db, clock, logger, sounds }: Deps) {
  const scope = system('voicemail')

  async function showSettings(userId: number): Promise<VoicemailSettings> {
    const { user_id, ...settings } = await readVoicemailSettings(db, userId)
    const user = await findUserById(db, scope, user_id)
    return { ...settings, mail_address: user ? mailboxOf(user) : null }
  }

  const removeAll = (owner: Owner, ids: readonly number[]): Promise<void> =>
    removeVoicemails({ db, sounds }, owner, ids)

  return {
    async list(caller: Caller, { limit, ...filter }: List) {
      const owner = ownDataOf(caller)
      const rows = await listVoicemails(db, owner, { ...filter, limit: limit + 1 })
      const { shown, next } = pageOf(rows, limit, ({ id }) => id)
      return { messages: shown.map(view), next, counts: await countVoicemails(db, owner) }
    },

    counts: (caller: Caller): Promise<VoicemailCounts> => countVoicemails(db, ownDataOf(caller)),

    async mark(caller: Caller, ids: readonly number[], isNew: boolean): Promise<VoicemailCounts> {
      const owner = ownDataOf(caller)
      await markVoicemails(db, owner, ids, isNew ? 'new' : 'read')
      return countVoicemails(db, owner)
    },

    remove: (caller: Caller, ids: readonly number[]): Promise<void> => removeAll(ownDataOf(caller), ids),

    async audio(caller: Caller, id: number): Promise<FileAnswer> {
      const row = requireFound(await findVoicemail(db, ownDataOf(caller), id))
      const sound = await sounds.read(row).catch((error) => {
        logger.error({ err: error, message: id }, 'failed to read a voicemail message')
        throw new Refusal('sound_unavailable')
      })
      if (!sound) throw new Refusal('not_found')
      const day = row.started_at.toISOString().slice(0, 10)
      return new FileAnswer(alawAsWav(sound.samples, sound.channels), `voicemail-${day}-${id}.wav`)
    },

    showSettings: (caller: Caller): Promise<VoicemailSettings> => showSettings(caller.userId),

    async changeSettings(caller: Caller, given: GivenSettings): Promise<VoicemailSettings> {
      const { userId } = caller
      await db.transaction().execute(async (tx) => {
        if (given.mails) await requireMailbox(tx, ownDataOf(caller), userId)
        const { greeting_sound_id: soundId } = given
        if (soundId !== null && !(await lockSounds(tx, userId)).has(soundId)) throw new Refusal('not_found')
        if (!(await saveVoicemailSettings(tx, { ...given, user_id: userId })))
          throw new Refusal('changed_meanwhile')
      })
      return showSettings(userId)
    },

    /** Job handler: deletes messages at the end of their retention. */
    async deleteExpired(): Promise<void> {
      await inBatches({
        read: (page) => findExpired(db, scope, clock.now(), page),
        each: ({ id }) => removeAll(scope, [id]),
        onError: (error, { id }) =>
          logger.error({ err: error, message: id }, 'failed to delete a voicemail message'),
      })
    },

    /** All finished messages, or those of one media process. False if one failed. */
    moveToStore: (mediaId: string | null = null): Promise<boolean> =>
      moveToStore({
        db,
        scope,
        table: 'voicemails',
        mediaId,
        sounds,
        onError: (error, { id }) =>
          logger.error({ err: error, message: id }, 'failed to move a voicemail message'),
      }),
  }
}

async function requireMailbox(tx: Database, owner: Owner, userId: number): Promise<void> {
  const user = await findUserById(tx, owner, userId)
  if (user && mailboxOf(user)) return
  const { code, message } = new Refusal('email_unverified')
  throw new Refusal(code, message, [{ field: 'mails', message }])
}

function view(row: ShownVoicemail): VoicemailView {
  const caller = parseNumber(row.caller.startsWith('+') ? row.caller : `+${row.caller}`)
  return {
    id: row.id,
    caller: caller ? `+${caller.e164}` : row.caller,
    caller_name: row.caller_name,
    caller_country: caller && countryName(caller.country),
    caller_country_code: caller?.country ?? null,
    number: /^\d/.test(row.number) ? `+${row.number}` : row.number,
    started_at: row.started_at.toISOString(),
    seconds: Number(row.seconds),
    is_new: row.state === 'new',
    expires_at: row.expires_at.toISOString(),
  }
}
