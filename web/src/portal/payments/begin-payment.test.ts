import { expect, test } from 'vitest'
import { ApiError } from '../../app/api.ts'
import { paymentFailure } from './begin-payment.ts'

const GENERAL = 'Payment initiation failed. Please try again.'

test('shows the server message of a failed payment, or the general one', () => {
  const failure = (message: string, about = {}) =>
    paymentFailure(new ApiError(message, { status: 502, ...about }))
  expect(failure('Payment error: no such coin')).toBe('Payment error: no such coin')
  expect(failure('Failed to create payment invoice. Try again.')).toBe(
    'Failed to create payment invoice. Try again.',
  )
  expect(failure('')).toBe(GENERAL)
  expect(failure('Unable to connect', { status: 0, unreachable: true })).toBe(GENERAL)
  expect(failure('Some fields are invalid.', { fields: [{ field: 'amount', message: 'Too much.' }] })).toBe(
    'Too much.',
  )
  expect(paymentFailure(new TypeError('x is undefined'))).toBe(GENERAL)
})
