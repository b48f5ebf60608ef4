import { endpoints } from '@trunkline/contract'
import * as limits from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { describe, expect, it } from 'vitest'
import { sources } from './source-files.ts'
import { addresses, names, neverShown, numbers, texts } from './specification-texts.ts'

/** Audiences whose texts must appear in a story. */
const heldFor: readonly (keyof typeof texts)[] = ['visitor', 'customer', 'admin']

const textsOf = (audience: keyof typeof texts): string[] => Object.values(texts[audience]).flat()
const namesOf = (audience: keyof typeof texts): string[] => Object.values(names[audience]).flat()
const all = Object.keys(texts).flatMap((audience) => textsOf(audience as keyof typeof texts))

/** Strings in the stories, without comments and test titles. */
const expected = sources()
  .filter(({ path }) => /^e2e\/stories\/.*\.story\.ts$/.test(path))
  .flatMap(({ text }) => {
    const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '').replace(/\btest(\.describe)?\(\s*'[^'\n]*'/g, '')
    return [...code.matchAll(/'([^'\n]*)'|`([^`]*)`|\/((?:\\.|[^/\n\\])+)\//g)].map(
      ([, single, template, pattern]) =>
        single ?? template ?? pattern?.replace(/\\(.)/g, '$1').replace(/^\^|\$$/g, '') ?? '',
    )
  })

/** A sentence can be part of a longer string. A single word must be the whole string. */
function isExpected(text: string): boolean {
  const [before = '', after] = text.split(/\{\w+\}/)
  if (after !== undefined) return expected.some((string) => string.startsWith(before) && string !== before)
  return expected.some((string) => (text.includes(' ') ? string.includes(text) : string === text))
}

describe('the texts of the specification', () => {
  it.each(heldFor)('for a %s appear in a story', (audience) => {
    const missing = [...textsOf(audience), ...namesOf(audience)].filter(
      (text) => !isExpected(text) && !(text in neverShown),
    )
    expect(missing).toEqual([])
  })

  it('have addresses and numbers that match the contract', () => {
    expect(addresses.filter((address) => !(address in endpoints))).toEqual([])
    expect(limits).toMatchObject(numbers)
  })

  it('include every specified message of the contract', () => {
    const controls = ['Refresh Page']
    const unlisted = Object.values(messages).filter((text) => !all.includes(text) && !controls.includes(text))
    expect(unlisted).toEqual([])
  })

  it('are missing in the stories only if they are never shown', () => {
    expect(Object.keys(neverShown).filter((text) => !all.includes(text) || isExpected(text))).toEqual([])
  })
})
