import { expect, test } from 'vitest'
import { ApiError } from '../../../app/api.ts'
import { faultIn, onlyDigits, saveFailure, shownCallerId, wordsOfState } from './caller-id.ts'

test('only digits stay, and sixteen of them', () => {
  expect(onlyDigits('+1 (415) 555-0142')).toBe('14155550142')
  expect(onlyDigits('1234567890123456789')).toBe('1234567890123456')
  expect(onlyDigits('none')).toBe('')
})

test.each(['', '123456', '12345678901234567'])('%j is no caller ID', (digits) => {
  expect(faultIn(digits)).toBe('Please enter a valid phone number (country code + number, 7-16 digits)')
})

test.each(['1234567', '1234567890123456'])('%s is one', (digits) => {
  expect(faultIn(digits)).toBeNull()
})

test('a failure names its reason on a new line', () => {
  expect(saveFailure(new ApiError('Out for lunch.', { status: 503 }))).toBe(
    'Failed to update Caller ID on server.\nOut for lunch.',
  )
  expect(saveFailure(new ApiError('', { status: 500 }))).toBe(
    'Failed to update Caller ID on server.\nFailed to update caller ID',
  )
})

test('shown with a plus, or as not set', () => {
  expect(shownCallerId('14155550142')).toBe('+14155550142')
  expect(shownCallerId(null)).toBe('Not Set')
})

test('says whether calls can be made with it', () => {
  const words = (state: 'pending' | 'approved' | 'rejected' | null) =>
    wordsOfState({ callerid: '14155550142', approval: state && { state, note: '', decided_at: null } })
  expect(wordsOfState({ callerid: null, approval: null })).toBe('Required before you can call')
  expect(words(null)).toBe('Shown to the people you call')
  expect(words('approved')).toBe('Shown to the people you call')
  expect(words('pending')).toBe('Waiting for approval. Calls are refused until then.')
  expect(words('rejected')).toBe('Not approved. Calls are refused. Set another number or contact support.')
})
