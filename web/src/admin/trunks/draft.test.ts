import { describe, expect, test } from 'vitest'
import { BLANK, changedIn, faultsIn, newTrunk } from './draft.ts'

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

describe('incoming calls in the form of a trunk', () => {
  const incoming = { ...read, incoming_sources: '192.0.2.10', incoming_country: 'GB' }

  test('are sent as a list of addresses, and only if they were changed', () => {
    expect(changedIn(incoming, { ...incoming, incoming_sources: ' 192.0.2.10\n' })).toEqual({})
    const sources = '192.0.2.10, 192.0.2.11:5060\n[2001:db8::1]:5060'
    expect(changedIn(incoming, { ...incoming, incoming_sources: sources, incoming_country: '' })).toEqual({
      incoming_sources: ['192.0.2.10', '192.0.2.11:5060', '[2001:db8::1]:5060'],
      incoming_country: null,
    })
    expect(changedIn(read, { ...read, incoming_password: 'secret-word' })).toEqual({
      incoming_password: 'secret-word',
    })
    expect(changedIn(read, { ...read, forgetIncomingPassword: true })).toEqual({ incoming_password: null })
  })

  test('name the address that is wrong', () => {
    expect(faultsIn(incoming)).toEqual({})
    expect(faultsIn({ ...incoming, incoming_sources: '192.0.2.10\nsip.example' }).incoming_sources).toContain(
      'sip.example',
    )
  })
})
