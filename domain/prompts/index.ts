import type { Language } from '../flows/flow.ts'
import type { PromptName } from './names.ts'
import { texts } from './texts.ts'

export { type PromptName, promptNames } from './names.ts'

/** The text that a voice speaks if there is no recording. */
export const promptText = (language: Language, name: PromptName): string => texts[language][name]

/** Prompts that begin a sentence with a number in it. */
export type NumberPrompt = 'queue_position' | 'new_messages'

export const sentenceWith = (language: Language, name: NumberPrompt, number: number): string =>
  `${promptText(language, name)} ${number} ${promptText(language, `${name}_end`)}`

/** The prompts that make up the sentence: its beginning, the digits one by one, and its end. */
export const partsWith = (name: NumberPrompt, number: number): readonly PromptName[] => [
  name,
  ...[...String(number)].map((digit) => `digit_${digit}` as PromptName),
  `${name}_end`,
]

/** The prompts that read a value out, character by character. Other characters are not spoken. */
export const spellingOf = (value: string): readonly PromptName[] =>
  [...value.normalize('NFD').toLowerCase()].flatMap((character) => {
    if (/[0-9]/.test(character)) return [`digit_${character}` as PromptName]
    return /[a-z]/.test(character) ? [`letter_${character}` as PromptName] : []
  })
