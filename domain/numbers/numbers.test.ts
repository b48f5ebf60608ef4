import fc from 'fast-check'
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, test } from 'vitest'
import { INTERNATIONAL } from '../countries/index.ts'
import { lineTypes, parseNumber } from './index.ts'

const NETWORKS = ['800', '808', '870', '878', '881', '882', '883', '888', '979']
const callingCodes = [
  ...new Set(getCountries().map((country) => getCountryCallingCode(country))),
  ...NETWORKS,
]

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })

/** Example numbers of every country with changed last digits. Most are valid. */
const nearlyReal = fc.tuple(fc.constantFrom(...getCountries()), digits(4, 4)).map(([country, end]) => {
  const example = getExampleNumber(country, examples)?.number.slice(1) ?? ''
  return example.slice(0, -end.length) + end
})
const anyDigits = fc.tuple(fc.constantFrom(...callingCodes), digits(4, 12)).map(([code, rest]) => code + rest)
const e164 = fc.oneof(nearlyReal, anyDigits)

const between = fc.constantFrom('', '', '', ' ', '-', '.', ' (', ') ', '/', '\u00a0')
/** The same number in another notation. */
const written = (number: string) =>
  fc
    .tuple(
      fc.constantFrom('+', '00', '011', '', ' + ', '(+)'),
      fc.array(between, { minLength: number.length, maxLength: number.length }),
    )
    .map(([prefix, signs]) => prefix + [...number].map((digit, at) => digit + (signs[at] ?? '')).join(''))

describe('a number', () => {
  test('is the same in every notation', () => {
    fc.assert(
      fc.property(
        e164.chain((number) => fc.tuple(fc.constant(number), written(number))),
        ([number, dialed]) => {
          expect(parseNumber(dialed)).toEqual(parseNumber(`+${number}`))
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('stays the same when it is normalized again, and has at most 15 digits', () => {
    fc.assert(
      fc.property(e164, (number) => {
        const parsed = parseNumber(number)
        if (!parsed) return
        expect(parsed.e164).toMatch(/^[1-9]\d{6,14}$/)
        expect(parseNumber(parsed.e164)).toEqual(parsed)
        expect(lineTypes).toContain(parsed.lineType)
      }),
      { numRuns: 1_500 },
    )
  })

  test('never throws for any input', () => {
    const junk = fc.oneof(
      fc.array(fc.nat({ max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
      fc.string({ unit: fc.constantFrom(...'+0123456789 ()-.#*x'), maxLength: 40 }),
    )
    fc.assert(
      fc.property(junk, (dialed) => {
        const parsed = parseNumber(dialed)
        if (parsed) expect(parsed.e164).toMatch(/^\d+$/)
      }),
      { numRuns: 1_500 },
    )
  })

  test('belongs to its country, except where a territory shares the ranges of a larger one', () => {
    const shared: Record<string, string> = Object.fromEntries(
      'AX-FI BL-GP MF-GP CC-AU CX-AU EH-MA IM-GB SJ-NO VA-IT'.split(' ').map((pair) => pair.split('-')),
    )
    for (const country of getCountries()) {
      const example = getExampleNumber(country, examples)?.number ?? ''
      expect(parseNumber(example), `${country} ${example}`).toMatchObject({
        country: shared[country] ?? country,
      })
    }
  })

  test.each([
    ['+1 212 555 1234', 'US'],
    ['+1 808 555 1234', 'US'],
    ['+1 416 555 1234', 'CA'],
    ['+1 604 555 1234', 'CA'],
    ['+1 876 555 1234', 'JM'],
    ['+1 658 555 1234', 'JM'],
    ['+1 809 555 1234', 'DO'],
    ['+1 829 555 1234', 'DO'],
    ['+1 849 555 1234', 'DO'],
    ['+1 787 555 1234', 'PR'],
    ['+1 242 365 1234', 'BS'],
    ['+1 868 291 1234', 'TT'],
    ['+1 441 370 1234', 'BM'],
    ['+1 671 300 1234', 'GU'],
    ['+7 912 345 6789', 'RU'],
    ['+7 701 234 5678', 'KZ'],
    ['+39 06 1234 5678', 'IT'],
    ['+44 20 7946 0018', 'GB'],
    ['+44 7781 123456', 'GG'],
    ['+47 406 12 345', 'NO'],
    ['+383 43 201 234', 'XK'],
    ['+881 6 1234 5678', INTERNATIONAL],
    ['+883 5100 1234 5678', INTERNATIONAL],
    ['+800 1234 5678', INTERNATIONAL],
  ])('%s belongs to %s despite the shared calling code', (dialed, country) => {
    expect(parseNumber(dialed)).toMatchObject({ country, e164: dialed.replace(/\D/g, '') })
  })

  test.each([
    ['+44 (0) 20 7946 0018', '442079460018'],
    ['0049 030 123456', '4930123456'],
    ['011 33 06 12 34 56 78', '33612345678'],
  ])('%s is accepted despite its national zero', (dialed, expected) => {
    expect(parseNumber(dialed)?.e164).toBe(expected)
  })

  test.each([
    ['+33 6 12 34 56 78', 'mobile'],
    ['+33 1 23 45 67 89', 'landline'],
    ['+1 212 555 1234', 'landline_or_mobile'],
    ['+1 800 555 1234', 'toll_free'],
    ['+1 900 555 1234', 'premium_rate'],
    ['+33 810 123 456', 'shared_cost'],
    ['+44 56 1234 5678', 'voip'],
    ['+44 70 1234 5678', 'personal'],
    ['+870 773 123 456', 'satellite'],
    ['+881 6 1234 5678', 'satellite'],
    ['+882 16 1234 567', 'satellite'],
    ['+44 76 4012 3456', 'other'],
  ])('%s is %s', (dialed, lineType) => {
    expect(parseNumber(dialed)?.lineType).toBe(lineType)
  })

  test.each([
    '',
    '+',
    '100',
    '911',
    '*43',
    '12125551234#1',
    '+1 212 555 CALL',
    '++12125551234',
    '0012125551234567890',
    '00000447911123456',
    '+0447911123456',
    '+210 1234567',
    '+1 212 055 1234',
    'sip:12125551234@example.com',
    '+12125551234;ext=5',
    '１２１２５５５１２３４',
  ])('%j cannot be called', (dialed) => {
    expect(parseNumber(dialed)).toBeNull()
  })
})

describe('a number dialed with a home country', () => {
  test.each([
    ['GB', '020 7946 0123', '442079460123'],
    ['GB', '2079460123', '442079460123'],
    ['GB', '00 1 202 555 0123', '12025550123'],
    ['GB', '442079460123', '442079460123'],
    ['GB', '12025550123', '12025550123'],
    ['US', '202-555-0123', '12025550123'],
    ['US', '1 202 555 0123', '12025550123'],
    ['US', '011 44 20 7946 0123', '442079460123'],
    ['US', '0044 20 7946 0123', '442079460123'],
    ['US', '+20 2 2555 0123', '20225550123'],
    ['AU', '0011 44 20 7946 0123', '442079460123'],
    ['JP', '010 44 20 7946 0123', '442079460123'],
    ['IT', '06 1234 5678', '390612345678'],
    ['HU', '06 1 234 5678', '3612345678'],
    ['RU', '8 912 345 6789', '79123456789'],
    ['DK', '32 12 34 56', '4532123456'],
  ])('in %s: %s is +%s', (home, dialed, expected) => {
    expect(parseNumber(dialed, home)?.e164).toBe(expected)
  })

  test.each([
    ['US', '247 1234', 'Ascension'],
    ['GB', '7946 0123', 'Kazakhstan'],
    ['US', '555 0123', 'Brazil'],
  ])('in %s: %s is local without an area code, not a number in %s', (home, dialed) => {
    expect(parseNumber(dialed, home)).toBeNull()
  })

  test('is invalid without a home country and with an unknown one', () => {
    for (const home of [null, 'XX', '001']) expect(parseNumber('020 7946 0123', home)).toBeNull()
  })

  test('is the same everywhere if it starts with a plus', () => {
    fc.assert(
      fc.property(e164, fc.constantFrom(...getCountries()), (number, home) => {
        expect(parseNumber(`+${number}`, home)).toEqual(parseNumber(`+${number}`))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a number with the parameters of a tel URI', () => {
  test.each([
    ['02079460123;phone-context=+44', null, '442079460123'],
    ['2079460123;phone-context=+44', null, '442079460123'],
    ['79460123;phone-context=+4420', null, '442079460123'],
    ['2025550123;phone-context=+1', 'GB', '12025550123'],
    ['+442079460123;phone-context=+1', null, '442079460123'],
    ['020-7946-0123;phone-context=example.com', 'GB', '442079460123'],
    ['+44-20-7946-0123;npdi;rn=+441234', null, '442079460123'],
    ['442079460123;user=phone', null, '442079460123'],
  ])('%s at home in %s', (dialed, home, expected) => {
    expect(parseNumber(dialed, home)?.e164).toBe(expected)
  })

  test.each([
    '02079460123;phone-context=example.com',
    '+442079460123;ext=5',
    '+442079460123;isub=1',
    ';phone-context=+44',
  ])('%s cannot be called', (dialed) => {
    expect(parseNumber(dialed)).toBeNull()
  })
})

describe('high risk', () => {
  test.each([
    ['premium rate', '+1 900 555 1234'],
    ['shared cost', '+33 810 123 456'],
    ['personal number', '+44 70 1234 5678'],
    ['satellite', '+881 6 1234 5678'],
    ['international network', '+883 5100 1234 5678'],
    ['Cuba', '+53 5 123 4567'],
    ['Somalia', '+252 7 112 3456'],
    ['Diego Garcia', '+246 380 1234'],
    ['Ascension', '+247 40123'],
  ])('%s: %s', (_, dialed) => {
    expect(parseNumber(dialed)).toMatchObject({ isHighRisk: true })
  })

  test.each([
    '+1 212 555 1234',
    '+44 20 7946 0018',
    '+49 1512 3456789',
    '+1 876 555 1234',
    '+56 2 2123 4567',
  ])('excludes %s', (dialed) => {
    expect(parseNumber(dialed)).toMatchObject({ isHighRisk: false })
  })
})
