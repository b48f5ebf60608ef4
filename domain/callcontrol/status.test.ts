import { describe, expect, test } from 'vitest'
import { callStatuses, endReasons, failureReason, refusalReasons, statusOf } from './index.ts'

describe('failure reason of a SIP code', () => {
  test.each([
    [486, 'busy', 'busy'],
    [600, 'busy', 'busy'],
    [408, 'no_answer', 'no-answer'],
    [480, 'no_answer', 'no-answer'],
    [487, 'cancelled', 'cancelled'],
    [403, 'rejected', 'failed'],
    [603, 'rejected', 'failed'],
    [404, 'carrier_failed', 'failed'],
    [500, 'carrier_failed', 'failed'],
    [503, 'carrier_failed', 'failed'],
    [0, 'carrier_failed', 'failed'],
  ] as const)('%i: %s, and the record says %s', (code, reason, status) => {
    expect(failureReason(code)).toBe(reason)
    expect(statusOf({ reason, isAnswered: false })).toBe(status)
  })
})

describe('the status of a record', () => {
  test('is completed for every answered call', () => {
    for (const reason of endReasons) expect(statusOf({ reason, isAnswered: true })).toBe('completed')
  })

  test('is refused only for calls that were not admitted', () => {
    for (const reason of refusalReasons) expect(statusOf({ reason, isAnswered: false })).toBe('refused')
    for (const reason of endReasons) {
      const status = statusOf({ reason, isAnswered: false })
      expect(callStatuses).toContain(status)
      expect(['refused', 'completed']).not.toContain(status)
    }
  })

  test.each([
    'hung_up_by_caller',
    'hung_up_by_customer',
    'hung_up_by_admin',
    'account_stopped',
    'browser_gone',
  ] as const)('%s before the answer is a call given up', (reason) => {
    expect(statusOf({ reason, isAnswered: false })).toBe('cancelled')
  })

  test('is failed for an unanswered call that was lost with its switch', () => {
    expect(statusOf({ reason: 'switch_lost', isAnswered: false })).toBe('failed')
  })
})
