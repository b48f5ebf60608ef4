import { Refusal } from '@trunkline/contract/errors'
import type { SystemPrompt } from '@trunkline/contract/system-prompts'
import { type Caller, requireAdmin } from '@trunkline/domain/access'
import { type Language, languages } from '@trunkline/domain/flows'
import { type PromptName, promptNames, promptText } from '@trunkline/domain/prompts'
import type { Audio } from '../../../platform/audio.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { FileAnswer } from '../../../platform/handler.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { encodeGiven } from '../sounds/given-sound.ts'
import type { Speech } from '../sounds/speech.ts'
import {
  deleteReplacedPrompt,
  listReplacedPrompts,
  lockReplacedPrompt,
  type ReplacedPrompt,
  readReplacedPrompt,
  saveReplacedPrompt,
} from './store.ts'

export type SystemPrompts = ReturnType<typeof createSystemPrompts>

type Deps = {
  db: Database
  clock: Clock
  audit: Audit
  speech: Pick<Speech, 'say'>
  audio: Pick<Audio, 'encode' | 'toWav'>
}

type Prompt = { language: Language; name: PromptName }
type Recording = SystemPrompt['recording']

/** What the system says by itself. A recording of the operator replaces the voice. */
export function createSystemPrompts({ db, clock, audit, speech, audio }: Deps) {
  const record = (
    tx: Database,
    caller: Caller,
    { language, name }: Prompt,
    { action, before, after }: { action: string; before: Recording; after: Recording },
  ) =>
    audit.write(tx, caller, {
      action,
      subject: `prompt ${language} ${name}`,
      userId: null,
      before,
      after,
    })

  return {
    async list(caller: Caller): Promise<SystemPrompt[]> {
      requireAdmin(caller)
      const replaced = await listReplacedPrompts(db)
      return languages.flatMap((language) =>
        promptNames.map((name) =>
          viewPrompt(
            { language, name },
            replaced.find((row) => row.language === language && row.name === name),
          ),
        ),
      )
    },

    async audio(caller: Caller, { language, name }: Prompt): Promise<FileAnswer> {
      requireAdmin(caller)
      const sound =
        (await readReplacedPrompt(db, language, name)) ??
        (await speech.say(promptText(language, name), language))
      if (!sound) throw new Refusal('speech_unavailable')
      return new FileAnswer(audio.toWav(sound.alaw), `${name}-${language}.wav`)
    },

    async replace(caller: Caller, prompt: Prompt, wav: string): Promise<SystemPrompt> {
      requireAdmin(caller)
      const { sound, seconds } = await encodeGiven(audio, wav)
      return db.transaction().execute(async (tx) => {
        const before = await lockReplacedPrompt(tx, prompt.language, prompt.name)
        await saveReplacedPrompt(tx, {
          ...prompt,
          seconds,
          alaw: Buffer.from(sound.alaw),
          ulaw: Buffer.from(sound.ulaw),
          replaced_at: clock.now(),
        })
        const after = viewPrompt(prompt, await lockReplacedPrompt(tx, prompt.language, prompt.name))
        await record(tx, caller, prompt, {
          action: 'prompt.replace',
          before: viewRecording(before),
          after: after.recording,
        })
        return after
      })
    },

    /** A prompt without a recording stays as it is. */
    async restore(caller: Caller, prompt: Prompt): Promise<SystemPrompt> {
      requireAdmin(caller)
      return db.transaction().execute(async (tx) => {
        const before = await lockReplacedPrompt(tx, prompt.language, prompt.name)
        if (before) {
          await deleteReplacedPrompt(tx, before.id)
          await record(tx, caller, prompt, {
            action: 'prompt.restore',
            before: viewRecording(before),
            after: null,
          })
        }
        return viewPrompt(prompt, undefined)
      })
    },
  }
}

const viewRecording = (row: ReplacedPrompt | undefined): Recording =>
  row ? { seconds: Number(row.seconds), replaced_at: row.replaced_at.toISOString() } : null

const viewPrompt = ({ language, name }: Prompt, row: ReplacedPrompt | undefined): SystemPrompt => ({
  language,
  name,
  text: promptText(language, name),
  recording: viewRecording(row),
})
