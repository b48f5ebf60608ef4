import type { Sound } from './flow.ts'
import type { Variables } from './run.ts'

/** Longest value of a variable, in characters. */
export const VALUE_MAX = 200
/** Longest text after its variables are filled in. */
export const FILLED_TEXT_MAX = 1_000

const placeholder = /\{\{\s*([a-z][a-z0-9_]*)\s*\}\}/g

/** Unknown variables are empty. */
export const fill = (template: string, variables: Variables): string =>
  template.replace(placeholder, (_, name: string) => valueIn(variables, name)).slice(0, FILLED_TEXT_MAX)

const valueIn = (variables: Variables, name: string): string =>
  Object.hasOwn(variables, name) ? (variables[name] ?? '') : ''

export const variablesIn = (template: string): readonly string[] =>
  [...template.matchAll(placeholder)].map(([, name]) => name ?? '')

/** A copy of these variables with short values. Without `names`, all of them. */
export const cut = (variables: Variables, names = Object.keys(variables)): Variables =>
  Object.fromEntries(
    names
      .filter((name) => Object.hasOwn(variables, name))
      .map((name) => [name, String(variables[name]).slice(0, VALUE_MAX)]),
  )

export const filledSound = (sound: Sound, variables: Variables): Sound =>
  sound.kind === 'text' ? { ...sound, text: fill(sound.text, variables) } : sound
