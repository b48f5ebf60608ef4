import { completions } from '@trunkline/domain/numbers'
import { getCountries, getCountryCallingCode, parsePhoneNumberWithError } from 'libphonenumber-js/max'
import { describe, expect, it } from 'vitest'
import { formatPhoneNumber, formatPhoneNumbersIn, phoneNumberBlocks } from './phone-numbers.ts'

/** As the numbering plans write it, with spaces only. */
const official = (number: string) =>
  parsePhoneNumberWithError(number).formatInternational().replace(/[-/]/g, ' ')

describe('a phone number', () => {
  it.each([
    ['+442071234567', '+44 20 7123 4567'],
    ['+447700900123', '+44 7700 900123'],
    ['+12125550142', '+1 212 555 0142'],
    ['+494066969984', '+49 40 66969984'],
    ['+4915123456789', '+49 1512 3456789'],
    ['+33123456789', '+33 1 23 45 67 89'],
    ['+61412345678', '+61 412 345 678'],
    ['+919876543210', '+91 98765 43210'],
    // No pattern of ours.
    ['+37061234567', '+370 612 345 67'],
    ['+88213123456', '+882 131 234 56'],
  ])('%s is grouped as %s', (number, grouped) => {
    expect(formatPhoneNumber(number)).toBe(grouped)
  })

  it.each([
    '911',
    '1001',
    '02079460958',
    '*43',
    'anonymous',
    'Web phone',
    '',
    '+44',
    '+4420x',
    '+1'.padEnd(20, '5'),
  ])('stays whole if it is %j', (number) => {
    expect(formatPhoneNumber(number)).toBe(number)
  })

  it.each([
    '1',
    '27',
    '31',
    '32',
    '33',
    '34',
    '39',
    '41',
    '44',
    '45',
    '46',
    '55',
    '61',
    '65',
    '82',
    '86',
    '90',
    '420',
  ])('of +%s is grouped as in its numbering plan', (code) => {
    const areas = Array.from({ length: 9 }, (_, at) => `${code}${at + 1}0`)
    const numbers = areas.flatMap((area) => [...completions(area)].slice(0, 1))
    const usual = numbers.filter(({ lineType }) => /mobile|landline/.test(lineType))
    for (const { e164 } of usual) expect(formatPhoneNumber(`+${e164}`)).toBe(official(`+${e164}`))
  })

  it('starts with its calling code and keeps all digits, in every country', () => {
    for (const code of new Set(getCountries().map((country) => getCountryCallingCode(country)))) {
      const number = `+${code}234567890`.slice(0, 12)
      const blocks = phoneNumberBlocks(number)
      expect(blocks[0]).toBe(`+${code}`)
      expect(blocks.join('')).toBe(number)
      for (const block of blocks.slice(1)) expect(block.length).toBeGreaterThan(0)
    }
  })
})

it('groups a number as it was dialed if its international form is known', () => {
  expect(formatPhoneNumber('442071234567', '442071234567')).toBe('44 20 7123 4567')
  expect(formatPhoneNumber('0061755503099', '+61755503099')).toBe('0061 7 5550 3099')
  expect(formatPhoneNumber('+442071234567', '442071234567')).toBe('+44 20 7123 4567')
  expect(formatPhoneNumber('02071234567', '442071234567')).toBe('02071234567')
  expect(formatPhoneNumber('911', '')).toBe('911')
})

it('groups the numbers of a sentence', () => {
  expect(formatPhoneNumbersIn('Web phone dialed +442071234567 from 192.0.2.1.')).toBe(
    'Web phone dialed +44 20 7123 4567 from 192.0.2.1.',
  )
  expect(formatPhoneNumbersIn('+5 minutes')).toBe('+5 minutes')
})
