import { getCountries } from 'libphonenumber-js/max'
import { describe, expect, test } from 'vitest'
import { allCountries, countryCode, countryName, INTERNATIONAL } from './index.ts'

describe('countries', () => {
  test('match the numbering plans plus the international networks', () => {
    expect(
      allCountries()
        .map(({ code }) => code)
        .sort(),
    ).toEqual([...getCountries(), INTERNATIONAL].sort())
  })

  test('have unique names that map back to their codes', () => {
    for (const { code, name } of allCountries()) {
      expect(countryName(code)).toBe(name)
      expect(countryCode(name)).toBe(code)
      expect(countryCode(code)).toBe(code)
    }
    expect(new Set(allCountries().map(({ name }) => name)).size).toBe(allCountries().length)
  })

  test('are sorted by name', () => {
    const names = allCountries().map(({ name }) => name)
    expect(names.slice(0, 3)).toEqual(['Afghanistan', 'Åland Islands', 'Albania'])
    expect(names).toEqual([...names].sort((left, right) => left.localeCompare(right, 'en')))
  })

  test.each([
    ['United States', 'US'],
    ['  united STATES ', 'US'],
    ['gb', 'GB'],
    ['Côte d’Ivoire', 'CI'],
    ["cote d'ivoire", 'CI'],
    ['reunion', 'RE'],
    ['Kosovo', 'XK'],
    ['International networks', '001'],
    ['001', '001'],
  ])('finds %j as %s', (typed, code) => {
    expect(countryCode(typed)).toBe(code)
  })

  test.each(['', 'United', 'United States of', 'Atlantis', 'ZZ', 'AQ', '__proto__'])(
    'does not find %j',
    (typed) => {
      expect(countryCode(typed)).toBeNull()
    },
  )

  test('uses an unknown code as its name', () => {
    expect(countryName('ZZ')).toBe('ZZ')
  })
})
