import type { FlowAction, Language, SpelledText } from '@trunkline/domain/flows'
import {
  type NumberPrompt,
  type PromptName,
  partsWith,
  promptText,
  sentenceWith,
  spellingOf,
} from '@trunkline/domain/prompts'
import type { Encoded } from '@trunkline/media/endpoint'
import type { Database } from '../../../platform/database.ts'
import { listReplacedPrompts, readPromptSound } from '../../catalogue/system-prompts/store.ts'
import { readEncoded, readGreeting } from './sounds-store.ts'

export type PlayedSound = Extract<FlowAction, { type: 'play' }>['sound']

/** A part of a sentence: a prompt, or words that the voice speaks. */
type Piece = PromptName | { say: string }

export type Sounds = ReturnType<typeof createSounds>

type Deps = {
  db: Database
  /** Null if this server has no voice. */
  say: (text: string, language: Language) => Promise<Encoded | null>
  beep: Encoded
  ringback: Encoded
}

/** 64 MB of sound in both laws: more than an hour. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024

/** Finds what callers hear. Sounds and speech never change, so they are kept in memory. */
export function createSounds({ db, say, beep, ringback }: Deps) {
  const cache = new Map<string, Encoded>()
  const loading = new Map<string, Promise<Encoded | null>>()
  let cachedBytes = 0
  /** Ids of the operator's recordings. */
  let replaced: ReadonlyMap<string, number> = new Map()
  const placeOf = (name: PromptName, language: Language) => `${language} ${name}`

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
    if (recorded) return recorded
    return own.text.trim() === '' ? prompt('voicemail_greeting', own.language) : text(own.text, own.language)
  }

  /** A recording of the operator, or the voice. */
  async function prompt(name: PromptName, language: Language): Promise<Encoded | null> {
    const id = replaced.get(placeOf(name, language))
    const recorded =
      id === undefined
        ? null
        : await cached(`prompt ${id}`, async () => (await readPromptSound(db, id)) ?? null)
    return recorded ?? text(promptText(language, name), language)
  }

  /** The voice speaks the whole sentence. With a recording for a part of it, it is put together. */
  function sentence(name: NumberPrompt, number: number, language: Language): Promise<Encoded | null> {
    return putTogether(partsWith(name, number), sentenceWith(language, name, number), language)
  }

  /** A text with values that are read out. The pauses are those of the voice at a comma. */
  function spelled({ parts, language }: SpelledText): Promise<Encoded | null> {
    const words = parts.map((part) =>
      'say' in part
        ? part.say
        : spellingOf(part.spell)
            .map((name) => promptText(language, name))
            .join(', '),
    )
    const pieces = parts.flatMap((part): Piece[] => ('say' in part ? [part] : [...spellingOf(part.spell)]))
    return putTogether(pieces, words.join(''), language)
  }

  async function putTogether(
    pieces: readonly Piece[],
    sentence: string,
    language: Language,
  ): Promise<Encoded | null> {
    const whole = () => text(sentence, language)
    const isRecorded = (piece: Piece) => typeof piece === 'string' && replaced.has(placeOf(piece, language))
    if (!pieces.some(isRecorded)) return whole()
    const audible = pieces.filter((piece) => typeof piece === 'string' || /[\p{L}\p{N}]/u.test(piece.say))
    const sounds = await Promise.all(
      audible.map((piece) =>
        typeof piece === 'string' ? prompt(piece, language) : text(piece.say, language),
      ),
    )
    const spoken = sounds.filter((sound) => sound !== null)
    if (spoken.length < audible.length) return whole()
    return {
      alaw: Buffer.concat(spoken.map(({ alaw }) => alaw)),
      ulaw: Buffer.concat(spoken.map(({ ulaw }) => ulaw)),
    }
  }

  return {
    beep,
    ringback,
    prompt,
    sentence,
    /** Finds the recordings that replace prompts now. */
    async readReplaced(): Promise<void> {
      const rows = await listReplacedPrompts(db)
      replaced = new Map(rows.map(({ id, name, language }) => [placeOf(name, language), id]))
    },
    /** Null if the sound was deleted or cannot be spoken. */
    async find(userId: number, sound: PlayedSound, language: Language): Promise<Encoded | null> {
      if (sound.kind === 'file') return file(userId, sound.soundId)
      if (sound.kind === 'text') return text(sound.text, sound.language)
      if (sound.kind === 'spelled') return spelled(sound)
      switch (sound.name) {
        case 'beep':
          return beep
        case 'voicemail_greeting':
          return greeting(userId)
        case 'wrong_key':
          return prompt('wrong_key', language)
        case 'queue_position':
          return sentence('queue_position', Number(sound.value ?? 0), language)
      }
    },
  }
}
