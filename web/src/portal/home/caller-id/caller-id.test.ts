import { expect, test } from 'vitest'
import { ApiError } from '../../../app/api.ts'
import { onlyDigits, saveFailure, shownCallerId, validateCallerId, wordsOfState } from './caller-id.ts'

test('keeps at most 16 digits and drops everything else', () => {
  expect(onlyDigits('+1 (415) 555-0142')).toBe('14155550142')
  expect(onlyDigits('1234567890123456789')).toBe('1234567890123456')
  expect(onlyDigits('none')).toBe('')
})

test.each(['', '123456', '12345678901234567'])('refuses %j as a caller ID', (digits) => {
  expect(validateCallerId({ callerid: digits })).toEqual({
    callerid: 'Please enter a valid phone number (country code + number, 7-16 digits)',
  })
})

test.each(['1234567', '1234567890123456'])('accepts %s as a caller ID', (digits) => {
  expect(validateCallerId({ callerid: digits })).toEqual({})
})

test('shows the reason of a failure on a new line', () => {
  expect(saveFailure(new ApiError('Out for lunch.', { status: 503 }))).toBe(
    'Failed to update Caller ID on server.\nOut for lunch.',
  )
  expect(saveFailure(new ApiError('', { status: 500 }))).toBe(
    'Failed to update Caller ID on server.\nFailed to update caller ID',
  )
})

test('shows the number with a plus, or Not Set', () => {
  expect(shownCallerId('14155550142')).toBe('+14155550142')
  expect(shownCallerId(null)).toBe('Not Set')
})

test('says whether the caller ID can be used for calls', () => {
  const words = (state: 'pending' | 'approved' | 'rejected' | null) =>
    wordsOfState({ callerid: '14155550142', approval: state && { state, note: '', decided_at: null } })
  expect(wordsOfState({ callerid: null, approval: null })).toBe('Required before you can call')
  expect(words(null)).toBe('Shown to the people you call')
  expect(words('approved')).toBe('Shown to the people you call')
  expect(words('pending')).toBe('Waiting for approval. Calls are refused until then.')
  expect(words('rejected')).toBe('Not approved. Calls are refused. Set another number or contact support.')
})
