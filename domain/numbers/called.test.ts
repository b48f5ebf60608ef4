import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calledNumbers, callerDigits } from './index.ts'

const plain = { prefix: '', country: null }

describe('the called number of an incoming call', () => {
  test.each([
    ['442079460123', plain],
    ['+442079460123', plain],
    ['00442079460123', plain],
    ['+44 20 7946 0123', plain],
    ['+442079460123;npdi', plain],
    ['02079460123', { prefix: '', country: 'GB' }],
    ['2079460123', { prefix: '', country: 'GB' }],
    ['442079460123', { prefix: '', country: 'GB' }],
    ['+442079460123', { prefix: '', country: 'US' }],
    ['011442079460123', { prefix: '', country: 'US' }],
    ['9911442079460123', { prefix: '9911', country: null }],
    ['99112079460123', { prefix: '9911', country: 'GB' }],
    ['#31#+442079460123', { prefix: '#31#', country: null }],
    ['442079460123', { prefix: '9911', country: null }],
  ])('%s is +442079460123', (sent, format) => {
    expect(calledNumbers(sent, format)[0]).toBe('442079460123')
  })

  test('keeps the digits of a number that no numbering plan has', () => {
    expect(calledNumbers('+999123456789', plain)).toEqual(['999123456789'])
  })

  test('can start with the prefix itself', () => {
    expect(calledNumbers('442079460123', { prefix: '44', country: 'GB' })).toContain('442079460123')
  })

  test.each(['', 'anna', '+', '100', 'sip:442079460123@example.com', '4420794601230000000'])(
    '%j is no number',
    (sent) => {
      expect(calledNumbers(sent, { prefix: '', country: 'GB' })).toEqual([])
    },
  )

  test('is made of 6 to 15 digits, whatever a carrier sends', () => {
    const anything = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'+0123456789 ()-#*;'), maxLength: 30 }),
      fc.string({ maxLength: 30 }),
    )
    fc.assert(
      fc.property(
        anything,
        fc.constantFrom('', '00', '44'),
        fc.constantFrom(null, 'GB', 'US'),
        (sent, prefix, country) => {
          for (const number of calledNumbers(sent, { prefix, country }))
            expect(number).toMatch(/^[1-9]\d{5,14}$/)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('the caller of an incoming call', () => {
  test.each([
    ['+442079460123', null, '442079460123'],
    ['00442079460123', null, '442079460123'],
    ['02079460123', 'GB', '442079460123'],
    ['12345', null, '12345'],
    ['anonymous', 'GB', ''],
    ['', 'GB', ''],
    ['+44\u00002079460123', 'GB', ''],
  ])('%j from %s is %j', (sent, country, digits) => {
    expect(callerDigits(sent, country)).toBe(digits)
  })
})
