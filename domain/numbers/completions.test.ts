import { describe, expect, it } from 'vitest'
import { callingCode, completions } from './index.ts'

const kinds = (prefix: string) =>
  new Set([...completions(prefix)].map(({ country, lineType }) => `${country} ${lineType}`))

describe('numbers that begin with a prefix', () => {
  it.each([
    ['447', 'GB mobile'],
    ['442', 'GB landline'],
    ['4915', 'DE mobile'],
    ['4930', 'DE landline'],
    ['336', 'FR mobile'],
    ['614', 'AU mobile'],
    ['316', 'NL mobile'],
    ['347', 'ES mobile'],
    ['8190', 'JP mobile'],
    ['1416', 'CA landline_or_mobile'],
    ['1876', 'JM mobile'],
    ['1212', 'US landline_or_mobile'],
  ])('for %s include %s', (prefix, kind) => {
    expect(kinds(prefix)).toContain(kind)
  })

  it('start with the prefix, and none exist for an unused prefix', () => {
    for (const { e164 } of completions('4479')) expect(e164.startsWith('4479')).toBe(true)
    expect([...completions('999')]).toEqual([])
  })
})

it('returns a calling code for countries only', () => {
  expect(['US', 'CA', 'GB', '001', 'XX'].map(callingCode)).toEqual(['1', '1', '44', null, null])
})
