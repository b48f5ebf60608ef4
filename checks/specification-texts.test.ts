import { endpoints } from '@trunkline/contract'
import * as limits from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { describe, expect, it } from 'vitest'
import { sources } from './source-files.ts'
import { addresses, names, neverShown, numbers, texts } from './specification-texts.ts'

/** Whose texts must be in a story. */
const heldFor: readonly (keyof typeof texts)[] = ['visitor', 'customer', 'admin']

const textsOf = (audience: keyof typeof texts): string[] => Object.values(texts[audience]).flat()
const namesOf = (audience: keyof typeof texts): string[] => Object.values(names[audience]).flat()
const all = Object.keys(texts).flatMap((audience) => textsOf(audience as keyof typeof texts))

/** What the stories expect to read: their strings, without comments and without the sentences that name them. */
const expected = sources()
  .filter(({ path }) => /^e2e\/stories\/.*\.story\.ts$/.test(path))
  .flatMap(({ text }) => {
    const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '').replace(/\btest(\.describe)?\(\s*'[^'\n]*'/g, '')
    return [...code.matchAll(/'([^'\n]*)'|`([^`]*)`|\/((?:\\.|[^/\n\\])+)\//g)].map(
      ([, single, template, pattern]) =>
        single ?? template ?? pattern?.replace(/\\(.)/g, '$1').replace(/^\^|\$$/g, '') ?? '',
    )
  })

/** A sentence may stand in a longer one; a single word would be found anywhere, so it must be the whole string. */
function isExpected(text: string): boolean {
  const [before = '', after] = text.split(/\{\w+\}/)
  if (after !== undefined) return expected.some((string) => string.startsWith(before) && string !== before)
  return expected.some((string) => (text.includes(' ') ? string.includes(text) : string === text))
}

describe('the texts of the specification', () => {
  it.each(heldFor)('appear in a story, those a %s reads', (audience) => {
    const missing = [...textsOf(audience), ...namesOf(audience)].filter(
      (text) => !isExpected(text) && !(text in neverShown),
    )
    expect(missing).toEqual([])
  })

  it('come with its addresses and numbers, which the contract keeps', () => {
    expect(addresses.filter((address) => !(address in endpoints))).toEqual([])
    expect(limits).toMatchObject(numbers)
  })

  it('are all listed: the contract knows no sentence of it that is not', () => {
    const controls = ['Refresh Page']
    const unlisted = Object.values(messages).filter((text) => !all.includes(text) && !controls.includes(text))
    expect(unlisted).toEqual([])
  })

  it('are left out of the stories only when nobody can see them', () => {
    expect(Object.keys(neverShown).filter((text) => !all.includes(text) || isExpected(text))).toEqual([])
  })
})
