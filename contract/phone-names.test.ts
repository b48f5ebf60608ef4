import { expect, test } from 'vitest'
import { accountLabel } from './phone-names.ts'

test('hides the generated account of a web phone', () => {
  expect(accountLabel('browser~a1b2c3')).toBe('Web phone')
  expect(accountLabel('alice')).toBe('alice')
})
