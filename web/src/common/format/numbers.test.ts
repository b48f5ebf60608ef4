import { describe, expect, it } from 'vitest'
import { formatCount, formatDecimal, formatNumber, formatPercent, formatShortPercent } from './numbers.ts'
import { localeFor } from './viewer.ts'

const from = (language: string) => ({ locale: localeFor(language), timeZone: 'UTC' })
const american = from('en-US')

describe('numbers', () => {
  it.each([
    ['en-US', '1,234,567.5'],
    ['en-GB', '1,234,567.5'],
    ['en-IN', '12,34,567.5'],
    ['de-CH', "1'234'567.5"],
    ['de-DE', '1,234,567.5'],
    ['fr-FR', '1,234,567.5'],
    ['ar-EG', '1,234,567.5'],
  ])('have a decimal point for %s, like the amounts beside them', (language, text) => {
    expect(formatNumber(1_234_567.5, from(language))).toBe(text)
  })

  it('can be zero, negative and large', () => {
    const all = [0, -0, -1_234, 9_007_199_254_740_991]
    expect(all.map((one) => formatNumber(one, american))).toEqual([
      '0',
      '0',
      '-1,234',
      '9,007,199,254,740,991',
    ])
    expect([1_234, 0, -0.04].map((one) => formatDecimal(one, american))).toEqual(['1,234.0', '0.0', '0.0'])
  })

  it('agree with their noun', () => {
    expect([0, 1, 1_200].map((one) => formatCount(one, 'call', 'calls', american))).toEqual([
      '0 calls',
      '1 call',
      '1,200 calls',
    ])
    expect(formatCount(2, 'prefix', 'prefixes', american)).toBe('2 prefixes')
  })

  it('show a dash for a missing value', () => {
    for (const missing of [null, undefined, Number.NaN])
      for (const format of [formatNumber, formatDecimal, formatPercent, formatShortPercent])
        expect(format(missing)).toBe('–')
  })
})

it('writes a measured share with one decimal and a given share as short as possible', () => {
  const shares = [61.44, 100, 0, -2.5]
  expect(shares.map((one) => formatPercent(one, american))).toEqual(['61.4%', '100.0%', '0.0%', '-2.5%'])
  expect([10, 12.5, 0].map((one) => formatShortPercent(one, american))).toEqual(['10%', '12.5%', '0%'])
})
