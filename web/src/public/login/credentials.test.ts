import { expect, test } from 'vitest'
import { checkCredentials } from './credentials.ts'

test('requires both fields, and a username that is not blank', () => {
  expect(checkCredentials({ username: '', password: 'x' }, 'sign-in')).toBe('Please fill in all fields')
  expect(checkCredentials({ username: '   ', password: 'x' }, 'sign-in')).toBe('Please fill in all fields')
  expect(checkCredentials({ username: 'a', password: '' }, 'sign-up')).toBe('Please fill in all fields')
})

test('requires 8 characters at sign-up, not at sign-in', () => {
  expect(checkCredentials({ username: 'a', password: '1234567' }, 'sign-up')).toBe(
    'Password must be at least 8 characters long',
  )
  expect(checkCredentials({ username: 'a', password: '1234567' }, 'sign-in')).toBeNull()
  expect(checkCredentials({ username: 'a', password: '12345678' }, 'sign-up')).toBeNull()
})
