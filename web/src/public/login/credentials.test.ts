import { expect, test } from 'vitest'
import { faultIn } from './credentials.ts'

test('both fields are needed, and blanks are no name', () => {
  expect(faultIn({ username: '', password: 'x' }, 'sign-in')).toBe('Please fill in all fields')
  expect(faultIn({ username: '   ', password: 'x' }, 'sign-in')).toBe('Please fill in all fields')
  expect(faultIn({ username: 'a', password: '' }, 'sign-up')).toBe('Please fill in all fields')
})

test('a password must be long enough when it is made, not when it is used', () => {
  expect(faultIn({ username: 'a', password: '1234567' }, 'sign-up')).toBe(
    'Password must be at least 8 characters long',
  )
  expect(faultIn({ username: 'a', password: '1234567' }, 'sign-in')).toBeNull()
  expect(faultIn({ username: 'a', password: '12345678' }, 'sign-up')).toBeNull()
})
