import { getCountries } from 'libphonenumber-js/max'
import { describe, expect, test } from 'vitest'
import { allCountries, countryCode, countryName, INTERNATIONAL } from './index.ts'

describe('countries', () => {
  test('are those of the numbering plans, and the international networks', () => {
    expect(allCountries.map(({ code }) => code).sort()).toEqual([...getCountries(), INTERNATIONAL].sort())
  })

  test('each name leads back to its code, and no two countries share one', () => {
    for (const { code, name } of allCountries) {
      expect(countryName(code)).toBe(name)
      expect(countryCode(name)).toBe(code)
      expect(countryCode(code)).toBe(code)
    }
    expect(new Set(allCountries.map(({ name }) => name)).size).toBe(allCountries.length)
  })

  test('are sorted by name as a reader expects', () => {
    const names = allCountries.map(({ name }) => name)
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
  ])('%j is %s', (typed, code) => {
    expect(countryCode(typed)).toBe(code)
  })

  test.each(['', 'United', 'United States of', 'Atlantis', 'ZZ', 'AQ', '__proto__'])(
    '%j is none',
    (typed) => {
      expect(countryCode(typed)).toBeNull()
    },
  )

  test('an unknown code stands for itself', () => {
    expect(countryName('ZZ')).toBe('ZZ')
  })
})
