import { getCountries } from 'libphonenumber-js/max'
import { describe, expect, it } from 'vitest'
import { callingCode, completions, digitsOfCountry, parseNumber } from './index.ts'

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

describe('the digits of a country', () => {
  it.each([
    ['DE', '49'],
    ['US', '1'],
    ['RU', '7'],
    ['JM', '18762101234'],
    ['KZ', '77710009998'],
    ['001', null],
  ])('are for %s %s', (country, digits) => {
    expect(digitsOfCountry(country)).toBe(digits)
  })

  // Their mobile numbers look like those of the larger country.
  const UNCLEAR = ['AX', 'BL', 'CC', 'CX', 'EH', 'IM', 'MF', 'SJ', 'VA']

  it('are a number of the country itself if a larger country has its calling code', () => {
    const unclear = getCountries().filter((country) => {
      const digits = digitsOfCountry(country) ?? ''
      return digits !== callingCode(country) && parseNumber(digits)?.country !== country
    })
    expect(unclear).toEqual(UNCLEAR)
  })
})
