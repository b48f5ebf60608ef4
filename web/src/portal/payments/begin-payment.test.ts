import { expect, test } from 'vitest'
import { ApiError } from '../../app/api.ts'
import { paymentFailure } from './begin-payment.ts'

const GENERAL = 'Payment initiation failed. Please try again.'

test('why a payment could not be begun', () => {
  const said = (message: string, about = {}) =>
    paymentFailure(new ApiError(message, { status: 502, ...about }))
  expect(said('Payment error: no such coin')).toBe('Payment error: no such coin')
  expect(said('Failed to create payment invoice. Try again.')).toBe(
    'Failed to create payment invoice. Try again.',
  )
  expect(said('')).toBe(GENERAL)
  expect(said('Unable to connect', { status: 0, unreachable: true })).toBe(GENERAL)
  expect(said('Some fields are invalid.', { fields: [{ field: 'amount', message: 'Too much.' }] })).toBe(
    'Too much.',
  )
  expect(paymentFailure(new TypeError('x is undefined'))).toBe(GENERAL)
})
