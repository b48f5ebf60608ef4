import { describe, expect, test } from 'vitest'
import { everyonesData, hasAccess, isTruthyFlag, ownDataOf, requireAdmin, system } from './index.ts'

const customer = { userId: 7, isAdmin: false }
const admin = { userId: 1, isAdmin: true }

describe('access', () => {
  test.each([
    ['anyone', true, true, true],
    ['user', false, true, true],
    ['admin', false, false, true],
  ] as const)(
    'for %s: signed out %s, customer %s, administrator %s',
    (needed, signedOut, asCustomer, asAdmin) => {
      expect([null, customer, admin].map((caller) => hasAccess(needed, caller))).toEqual([
        signedOut,
        asCustomer,
        asAdmin,
      ])
    },
  )

  test('limits a customer to their own data', () => {
    expect(ownDataOf(customer)).toEqual({ userId: 7, purpose: 'own data' })
    expect(() => everyonesData(customer)).toThrow('only an administrator')
    expect(() => requireAdmin(customer)).toThrow('only an administrator')
  })

  test('gives administrators and the system the data of all users', () => {
    expect(everyonesData(admin)).toEqual({ userId: null, purpose: 'administration' })
    expect(system('a job')).toEqual({ userId: null, purpose: 'a job' })
  })
})

describe('a flag', () => {
  test.each([true, 1, '1', 'true'])('is true for %j', (flag) => expect(isTruthyFlag(flag)).toBe(true))
  test.each([false, 0, '0', 'false', '', null, undefined, 2, 'TRUE'])('is false for %j', (flag) =>
    expect(isTruthyFlag(flag)).toBe(false),
  )
})
