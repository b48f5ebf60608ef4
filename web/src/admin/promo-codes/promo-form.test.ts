import type { PromoCode } from '@trunkline/contract/admin-promo-codes'
import { ownMessages } from '@trunkline/contract/messages'
import { describe, expect, it } from 'vitest'
import {
  blank,
  changeFrom,
  endOf,
  generateCode,
  lastDayOf,
  stateOf,
  termsOf,
  validateCode,
} from './promo-form.ts'

const code: PromoCode = {
  id: 1,
  code: 'TEN',
  type: 'percentage',
  value: 10,
  expires_at: '2026-12-01T10:00:00.000Z',
  total_limit: 5,
  per_user_limit: null,
  active: true,
  used: 2,
  reserved: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  version: 4,
}
const typed = { ...blank, code: 'welcome-10', value: '10' }

describe('the form of a promo code', () => {
  it('validates code, value, limits and expiry', () => {
    expect(validateCode(typed, '2026-11-15')).toEqual({})
    expect(validateCode({ ...typed, code: 'a b' }, '2026-11-15').code).toBe(ownMessages.promoCodeCharacters)
    for (const value of ['', '0', '100.01', '10.005', 'ten'])
      expect(validateCode({ ...typed, value }, '2026-11-15').value).toBe(ownMessages.promoValue)
    expect(validateCode({ ...typed, type: 'account_credit', value: '100.01' }, '2026-11-15')).toEqual({})
    expect(validateCode({ ...typed, expiry: '2026-11-14' }, '2026-11-15').expiry).toBe(
      'This date has passed.',
    )
    expect(
      Object.keys(validateCode({ ...typed, total_limit: '0', per_user_limit: '1.5' }, '2026-11-15')),
    ).toEqual(['total_limit', 'per_user_limit'])
  })

  it('sends only changed fields, with the version', () => {
    expect(changeFrom(termsOf(code), code)).toBeNull()
    expect(changeFrom({ ...termsOf(code), total_limit: '', active: false }, code)).toEqual({
      total_limit: null,
      active: false,
      version: 4,
    })
  })

  it('expires at the end of a day in the viewer’s time zone', () => {
    const end = endOf('2026-12-31')
    expect(new Date(end ?? '').getHours()).toBe(0)
    expect(lastDayOf(end)).toBe('2026-12-31')
    expect(endOf('')).toBeNull()
  })

  it('counts reserved uses in the state of a code', () => {
    const now = new Date('2026-11-15T00:00:00Z')
    expect(stateOf(code, now)).toBe('active')
    expect(stateOf({ ...code, reserved: 3 }, now)).toBe('used up')
    expect(stateOf({ ...code, active: false }, now)).toBe('inactive')
    expect(stateOf(code, new Date('2026-12-01T10:00:00Z'))).toBe('expired')
  })

  it('generates codes from unambiguous characters with equal probability', () => {
    const bytes = [255, 250, 0, 30, 31, 247, ...Array(20).fill(1)]
    let at = 0
    const random = (into: Uint8Array<ArrayBuffer>) => into.map(() => bytes[at++] ?? 0)
    expect(generateCode(random)).toBe('A9A9BBBBBB')
  })
})
