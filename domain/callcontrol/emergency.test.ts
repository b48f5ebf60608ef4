import { describe, expect, test } from 'vitest'
import { ZERO } from '../money/index.ts'
import { emergencyNumber } from '../numbers/index.ts'
import { trunkWith } from '../routing/test/trunk-example.ts'
import { admitEmergency, EMERGENCY_ROUTE_ID, type EmergencyRequest } from './index.ts'
import { userWith } from './test/request-example.ts'

const trunk = trunkWith({ id: 7, capacity: 0, stripDigits: 1, addPrefix: '99' })
const requestWith = (differences: Partial<EmergencyRequest> = {}): EmergencyRequest => ({
  user: userWith(),
  dialed: '112',
  country: 'DE',
  route: { trunkId: 7, sentAs: null, callerId: '4930123456' },
  trunk,
  liveCalls: 0,
  sliceSeconds: 60,
  ...differences,
})

describe('an emergency call', () => {
  test('is free and uses the emergency trunk, even if it is full, with the dialed number', () => {
    expect(admitEmergency(requestWith())).toMatchObject({
      ok: true,
      terms: {
        rate: { priceMicros: ZERO, connectFeeMicros: ZERO },
        route: { id: EMERGENCY_ROUTE_ID },
        number: { e164: '112', country: 'DE', isHighRisk: false },
      },
      trunks: [{ trunk: { id: 7 }, number: '112' }],
      wanted: { coveredSeconds: 60, holdMicros: ZERO },
    })
  })

  test('uses the number that is configured for the carrier', () => {
    const route = { trunkId: 7, sentAs: '+49110', callerId: '4930123456' }
    expect(admitEmergency(requestWith({ route }))).toMatchObject({ trunks: [{ number: '+49110' }] })
  })

  test('is admitted while calls are stopped, with the default caller ID if the user has none', () => {
    const user = userWith({ callerId: null }, { areCallsStopped: true, maxConcurrentCalls: 0 })
    expect(admitEmergency(requestWith({ user }))).toMatchObject({
      ok: true,
      terms: { callerId: '4930123456' },
    })
    const unapproved = userWith({ isCallerIdApproved: false })
    expect(admitEmergency(requestWith({ user: unapproved }))).toMatchObject({
      terms: { callerId: '4930123456' },
    })
    expect(admitEmergency(requestWith())).toMatchObject({ terms: { callerId: '442079460018' } })
  })

  test.each<[string, Partial<EmergencyRequest>]>([
    ['no_emergency_service', { route: null }],
    ['no_emergency_service', { trunk: undefined }],
    ['no_emergency_service', { trunk: trunkWith({ isActive: false }) }],
    ['too_many_calls', { liveCalls: 2 }],
    ['unknown_caller', { user: null }],
    ['account_disabled', { user: userWith({ isDisabled: true }) }],
  ])('is refused with %s', (reason, differences) => {
    expect(admitEmergency(requestWith(differences))).toMatchObject({ ok: false, reason })
  })
})

describe('an emergency number', () => {
  test.each([
    ['112', null],
    ['911', null],
    ['999', 'JP'],
    ['9-1-1', null],
    ['110', 'DE'],
    ['17', 'FR'],
    ['000', 'AU'],
    ['10111', 'ZA'],
    ['112;phone-context=+49', null],
  ])('recognizes %s in %s', (dialed, home) => {
    expect(emergencyNumber(dialed, home)).toBe(dialed.split(';')[0]?.replaceAll('-', ''))
  })

  test.each([
    ['110', null],
    ['17', 'DE'],
    ['1122', null],
    ['+112', null],
    ['99', 'GB'],
    ['442079460123', 'GB'],
    ['', null],
  ])('does not match %s in %s', (dialed, home) => {
    expect(emergencyNumber(dialed, home)).toBeNull()
  })
})
