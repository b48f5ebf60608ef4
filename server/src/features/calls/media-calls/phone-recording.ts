import type { Language } from '@trunkline/domain/flows'
import type { PromptName } from '@trunkline/domain/prompts'
import type { Conversation } from '@trunkline/media/endpoint'
import { SAMPLES_PER_SECOND } from '../../../platform/alaw.ts'
import type { Audio } from '../../../platform/audio.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Keypad } from './keypad.ts'
import { followMessage, MIN_MESSAGE_SECONDS } from './message.ts'
import type { Sounds } from './sounds.ts'
import { savePhoneSound } from './sounds-store.ts'
import { createTaps } from './taps.ts'

export type PhoneRecordingDeps = {
  db: Database
  clock: Clock
  sounds: Sounds
  audio: Pick<Audio, 'encode' | 'toWav'>
}

type Talk = { userId: number; language: Language; conversation: Conversation }

const MAX_SECONDS = 60
/** Kept after the last speech, so that the end of a word is not cut. */
const TAIL_SECONDS = 0.3

const kinds = {
  greeting: { name: 'Greeting', ask: 'record_greeting', saved: 'greeting_saved' },
  sound: { name: 'Recorded by phone', ask: 'record_sound', saved: 'sound_saved' },
} as const satisfies Record<string, { name: string; ask: PromptName; saved: PromptName }>

/** The customer records the voicemail greeting, or a sound for flows. A key, silence or a minute ends it. */
export async function recordByPhone(
  { db, clock, sounds, audio }: PhoneRecordingDeps,
  keypad: Keypad,
  kind: keyof typeof kinds,
  { userId, language, conversation }: Talk,
): Promise<void> {
  const { name, ask, saved } = kinds[kind]
  const say = async (prompt: PromptName) => keypad.play(await sounds.prompt(prompt, language))
  await say(ask)
  await keypad.play(sounds.beep)
  const packets: Uint8Array[] = []
  const ended = Promise.withResolvers<void>()
  const followed = followMessage(MAX_SECONDS, ended.resolve)
  const untap = createTaps(conversation).heard((packet) => {
    packets.push(packet.slice())
    followed.sink(packet)
  })
  await keypad.keyBefore(ended.promise).finally(untap)
  if (followed.spokenSeconds() < MIN_MESSAGE_SECONDS) return
  const spoken = Math.round((followed.spokenSeconds() + TAIL_SECONDS) * SAMPLES_PER_SECOND)
  const encoded = await audio.encode(new Uint8Array(audio.toWav(Buffer.concat(packets).subarray(0, spoken))))
  if (!encoded.ok) return
  const now = clock.now()
  const isSaved = await savePhoneSound(db, userId, {
    sound: encoded.sound,
    seconds: encoded.seconds,
    name: `${name} ${now.toISOString().slice(0, 19).replace('T', ' ')}`,
    isGreeting: kind === 'greeting',
    now,
  })
  await say(isSaved ? saved : 'sounds_full')
}
