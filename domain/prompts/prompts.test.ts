import { expect, it } from 'vitest'
import { languages } from '../flows/flow.ts'
import { promptNames, promptText, spellingOf } from './index.ts'

it('spells digits and letters, also with accents, and nothing else', () => {
  expect(spellingOf('+4 aÉ-Z')).toEqual(['digit_4', 'letter_a', 'letter_e', 'letter_z'])
})

it.each(languages)('has a text for each prompt in %s', (language) => {
  expect(promptNames.filter((name) => promptText(language, name) === '')).toEqual([])
})
