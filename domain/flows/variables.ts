import type { Sound } from './flow.ts'
import type { SpelledText, Variables } from './run.ts'

/** Longest value of a variable, in characters. */
export const VALUE_MAX = 200
/** Longest text after its variables are filled in. */
export const FILLED_TEXT_MAX = 1_000

/** `{{name}}`, or `{{spell name}}` for a value that is read out character by character. */
const placeholder = /\{\{\s*(?:(spell)\s+)?([a-z][a-z0-9_]*)\s*\}\}/g

/** Half of a surrogate pair at the end becomes U+FFFD: PostgreSQL rejects it. */
const firstOf = (text: string, length: number): string => text.slice(0, length).toWellFormed()

/** Unknown variables are empty. */
export const fill = (template: string, variables: Variables): string =>
  firstOf(
    template.replace(placeholder, (_, spell: string | undefined, name: string) => {
      const value = valueIn(variables, name)
      return spell ? [...value].join(' ') : value
    }),
    FILLED_TEXT_MAX,
  )

const valueIn = (variables: Variables, name: string): string =>
  Object.hasOwn(variables, name) ? (variables[name] ?? '') : ''

export const variablesIn = (template: string): readonly string[] =>
  [...template.matchAll(placeholder)].map(([, , name]) => name ?? '')

/** A copy of these variables with short values. Without `names`, all of them. */
export const cut = (variables: Variables, names = Object.keys(variables)): Variables =>
  Object.fromEntries(
    names
      .filter((name) => Object.hasOwn(variables, name))
      .map((name) => [name, firstOf(String(variables[name]), VALUE_MAX)]),
  )

export function filledSound(sound: Sound, variables: Variables): Sound | SpelledText {
  if (sound.kind !== 'text') return sound
  const { language } = sound
  const text = fill(sound.text, variables)
  const parts = partsOf(sound.text, variables)
  return parts.some((part) => 'spell' in part)
    ? { kind: 'spelled', text, language, parts }
    : { kind: 'text', text, language }
}

function partsOf(template: string, variables: Variables): SpelledText['parts'] {
  const parts: SpelledText['parts'][number][] = []
  let left = FILLED_TEXT_MAX
  const say = (words: string) => {
    if (words !== '') parts.push({ say: firstOf(words, left) })
    left -= words.length
  }
  let end = 0
  for (const { 0: whole, 1: spell, 2: name = '', index } of template.matchAll(placeholder)) {
    say(template.slice(end, index))
    end = index + whole.length
    const value = valueIn(variables, name)
    if (!spell) say(value)
    else if (left > 0) {
      parts.push({ spell: firstOf(value, left) })
      left -= value.length
    }
    if (left <= 0) return parts
  }
  say(template.slice(end))
  return parts
}
