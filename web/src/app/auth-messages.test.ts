import { expect, test } from 'vitest'
import { ApiError } from './api.ts'
import { changePasswordFailure, loginFailure, registrationFailure } from './auth-messages.ts'

const away = new ApiError('', { unreachable: true })
const CANNOT_CONNECT = 'Unable to connect to server. Please check your internet connection.'
const UNEXPECTED = 'An unexpected error occurred. Please try again.'

test('messages for a failed sign-in', () => {
  expect(loginFailure(new ApiError('no', { status: 401 }))).toBe('Invalid username or password')
  expect(loginFailure(new ApiError('slow', { status: 429 }))).toBe(
    'Too many login attempts. Please try again later.',
  )
  expect(loginFailure(away)).toBe(CANNOT_CONNECT)
  expect(loginFailure(new ApiError('Closed for the night', { status: 503 }))).toBe('Closed for the night')
  expect(loginFailure(new ApiError('', { status: 500 }))).toBe('Login failed. Please try again.')
  expect(loginFailure(new TypeError('x is undefined'))).toBe(UNEXPECTED)
})

test('messages for a failed registration', () => {
  expect(registrationFailure(new ApiError('user already exists', { status: 409 }))).toBe(
    'An account with this username already exists',
  )
  expect(registrationFailure(away)).toBe(CANNOT_CONNECT)
  expect(registrationFailure(new ApiError('No new accounts', { status: 400 }))).toBe('No new accounts')
  expect(registrationFailure(new ApiError('', { status: 500 }))).toBe(
    'Registration failed. Please try again.',
  )
  expect(registrationFailure(new TypeError('x is undefined'))).toBe(UNEXPECTED)
})

test('messages for a failed password change', () => {
  expect(changePasswordFailure(new ApiError('wrong', { status: 400 }))).toBe('Current password is incorrect')
  expect(changePasswordFailure(new ApiError('Try later', { status: 429 }))).toBe('Try later')
  expect(changePasswordFailure(new ApiError('', { status: 500 }))).toBe('Failed to change password')
})
