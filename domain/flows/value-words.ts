import { type Destination, destinationText, scheduleText } from '../ringing/index.ts'
import type { OpenHours, Sound } from './flow.ts'
import type { SpelledText } from './run.ts'

/** Names of the sounds in the library, by id. */
export type SoundNames = ReadonlyMap<number, string>

/** The value of a field of a step, complete: two values with the same text are the same. */
export function valueText(value: unknown, names: SoundNames): string {
  if (value === null || value === undefined || value === '') return 'None'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map((each) => valueText(each, names)).join(', ') || 'None'
  if (typeof value !== 'object') return String(value)
  if ('days' in value) return scheduleText(value as OpenHours)
  const known = value as Sound | Extract<Destination, { kind: 'phones' | 'pbx' }>
  switch (known.kind) {
    case 'text':
      return `“${known.text}” (${known.language})`
    case 'file':
      return names.get(known.soundId) ?? `Sound ${known.soundId}`
    case 'phones':
      return `${destinationText(known)} (${known.steps.map(({ seconds }) => `${seconds} s`).join(', ')})`
    case 'pbx':
      return `${destinationText(known)}:${known.port} (${known.transport}, ${known.seconds} s)`
  }
}

/** For example "Plays “Hello”" or "Plays Greeting". */
export const soundText = (sound: Sound | SpelledText, names: SoundNames): string =>
  sound.kind === 'file' ? (names.get(sound.soundId) ?? 'a sound from your library') : `“${sound.text}”`
