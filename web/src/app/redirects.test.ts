import { expect, test } from 'vitest'
import { destinationAfterLogin, rememberedPath } from './redirects.ts'

test('sends an administrator to the panel, or back to their panel address', () => {
  expect(destinationAfterLogin(true, undefined)).toBe('/admin-panal')
  expect(destinationAfterLogin(true, '/admin-panal')).toBe('/admin-panal')
  expect(destinationAfterLogin(true, '/admin-panal/users?search=ann')).toBe('/admin-panal/users?search=ann')
})

test('sends a customer to the customer area, even from the panel', () => {
  expect(destinationAfterLogin(false, undefined)).toBe('/dashboard')
  expect(destinationAfterLogin(false, '/admin-panal/users')).toBe('/dashboard')
})

test('remembers panel addresses with their search', () => {
  for (const ours of [
    '/admin-panal',
    '/admin-panal/users/7',
    '/admin-panal?route=new',
    '/admin-panal/cdr?a=%2F%2Fb',
  ])
    expect(rememberedPath(ours)).toBe(ours)
})

test('remembers no other address', () => {
  const strangers = [
    '//evil.example',
    '//evil.example/admin-panal',
    'https://evil.example/admin-panal',
    '\\\\evil.example/admin-panal',
    '/admin-panal/../..',
    '/admin-panal/../dashboard',
    '/admin-panal-of-others',
    '/dashboard',
    'javascript:alert(1)',
    `/admin-panal?${'x'.repeat(3_000)}`,
    '',
    null,
    7,
    {},
  ]
  for (const stranger of strangers) expect(rememberedPath(stranger)).toBeUndefined()
})
