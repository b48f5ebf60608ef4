import { expect, test } from 'vitest'
import { destinationAfterLogin, rememberedPath } from './redirects.ts'

test('an administrator on /login goes to the panel, and back to where they were in it', () => {
  expect(destinationAfterLogin(true, undefined)).toBe('/admin-panal')
  expect(destinationAfterLogin(true, '/admin-panal')).toBe('/admin-panal')
  expect(destinationAfterLogin(true, '/admin-panal/users?search=ann')).toBe('/admin-panal/users?search=ann')
})

test('a customer goes to their area, even when they came from the panel', () => {
  expect(destinationAfterLogin(false, undefined)).toBe('/dashboard')
  expect(destinationAfterLogin(false, '/admin-panal/users')).toBe('/dashboard')
})

test('addresses of our own panel are remembered whole', () => {
  for (const ours of [
    '/admin-panal',
    '/admin-panal/users/7',
    '/admin-panal?route=new',
    '/admin-panal/cdr?a=%2F%2Fb',
  ])
    expect(rememberedPath(ours)).toBe(ours)
})

test('no other address is remembered', () => {
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
