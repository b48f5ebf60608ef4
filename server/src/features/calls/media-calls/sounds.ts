import type { FlowAction, Language } from '@trunkline/domain/flows'
import type { Encoded } from '@trunkline/media/endpoint'
import type { Database } from '../../../platform/database.ts'
import { promptTexts } from './prompt-texts.ts'
import { readEncoded, readGreeting } from './sounds-store.ts'

export type PlayedSound = Extract<FlowAction, { type: 'play' }>['sound']

export type Sounds = ReturnType<typeof createSounds>

type Deps = {
  db: Database
  /** Null if this server has no voice. */
  say: (text: string, language: Language) => Promise<Encoded | null>
  beep: Encoded
}

/** 64 MB of sound in both laws: more than an hour. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024

/** Finds what callers hear. Sounds and speech never change, so they are kept in memory. */
export function createSounds({ db, say, beep }: Deps) {
  const cache = new Map<string, Encoded>()
  const loading = new Map<string, Promise<Encoded | null>>()
  let cachedBytes = 0

  const bytesOf = (sound: Encoded) => sound.alaw.length + sound.ulaw.length

  function keep(key: string, sound: Encoded): void {
    cache.set(key, sound)
    cachedBytes += bytesOf(sound)
    for (const [oldest, one] of cache) {
      if (cachedBytes <= MAX_CACHED_BYTES) break
      cache.delete(oldest)
      cachedBytes -= bytesOf(one)
    }
  }

  /** Concurrent callers share one load. */
  async function cached(key: string, load: () => Promise<Encoded | null>): Promise<Encoded | null> {
    const kept = cache.get(key)
    if (kept) {
      cache.delete(key)
      cache.set(key, kept)
      return kept
    }
    const running = loading.get(key)
    if (running) return running
    const started = load().finally(() => loading.delete(key))
    loading.set(key, started)
    const sound = await started
    if (sound) keep(key, sound)
    return sound
  }

  const file = (userId: number, soundId: number) =>
    cached(`file ${userId} ${soundId}`, () => readEncoded(db, userId, soundId))

  const text = (words: string, language: Language): Promise<Encoded | null> =>
    words.trim() === ''
      ? Promise.resolve(null)
      : cached(`text ${language} ${words}`, () => say(words, language))

  async function greeting(userId: number): Promise<Encoded | null> {
    const own = await readGreeting(db, userId)
    const recorded = own.soundId === null ? null : await file(userId, own.soundId)
    return recorded ?? text(own.text.trim() || promptTexts[own.language].voicemailGreeting, own.language)
  }

  return {
    beep,
    text,
    greeting,
    /** Null if the sound was deleted or cannot be spoken. */
    async find(userId: number, sound: PlayedSound, language: Language): Promise<Encoded | null> {
      if (sound.kind === 'file') return file(userId, sound.soundId)
      if (sound.kind === 'text') return text(sound.text, sound.language)
      const texts = promptTexts[language]
      switch (sound.name) {
        case 'beep':
          return beep
        case 'voicemail_greeting':
          return greeting(userId)
        case 'wrong_key':
          return text(texts.wrongKey, language)
        case 'queue_position':
          return text(texts.queuePosition(sound.value ?? ''), language)
      }
    },
  }
}
