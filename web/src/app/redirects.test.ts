import { expect, test } from 'vitest'
import { destinationAfterLogin, rememberedPath } from './redirects.ts'

test('an administrator on /login goes to the panel, wherever they came from', () => {
  expect(destinationAfterLogin(true, { path: '/login' })).toBe('/admin-panal')
  expect(destinationAfterLogin(true, { path: '/login', from: '/admin-panal' })).toBe('/admin-panal')
})

test('a customer goes to their area, even when they came from the panel', () => {
  expect(destinationAfterLogin(false, { path: '/login' })).toBe('/dashboard')
  expect(destinationAfterLogin(false, { path: '/login', from: '/admin-panal' })).toBe('/dashboard')
})

test('only our own panel is remembered', () => {
  expect(rememberedPath('/admin-panal')).toBe('/admin-panal')
  const strangers = [
    '//evil.example',
    'https://evil.example/admin-panal',
    '/admin-panal/../..',
    '',
    null,
    7,
    {},
  ]
  for (const stranger of strangers) expect(rememberedPath(stranger)).toBeUndefined()
})
