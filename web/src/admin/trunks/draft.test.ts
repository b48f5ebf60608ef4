import { describe, expect, test } from 'vitest'
import { BLANK, changedIn, newTrunk } from './draft.ts'

const read = { ...BLANK, name: 'Meridian', host: 'sip.example', buy_rate: '0.01', plans: ['Gold'] }

describe('the form of a trunk', () => {
  test('sends only what was changed, and a password only when one was typed', () => {
    expect(changedIn(read, read)).toEqual({})
    expect(changedIn(read, { ...read, capacity: ' 30 ' })).toEqual({})
    expect(changedIn(read, { ...read, capacity: '50', country: 'DE', plans: [] })).toEqual({
      capacity: 50,
      country: 'DE',
      plans: [],
    })
    expect(changedIn(read, { ...read, auth_password: 'secret' })).toEqual({ auth_password: 'secret' })
    expect(changedIn(read, { ...read, forgetPassword: true })).toEqual({ auth_password: null })
    expect(newTrunk(read)).not.toHaveProperty('auth_password')
  })

  test('does not turn invalid numbers into numbers', () => {
    expect(newTrunk({ ...read, port: '', capacity: 'many' })).toMatchObject({
      port: Number.NaN,
      capacity: Number.NaN,
    })
  })
})
