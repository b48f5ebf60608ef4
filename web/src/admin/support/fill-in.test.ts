import { expect, it } from 'vitest'
import { fillIn } from './fill-in.ts'

it('replaces every {name} by the name of the customer, or the username', () => {
  const text = 'Hello {name}, your number, {name}, is {number}.'
  expect(fillIn(text, { name: 'Ann', username: 'ann7' })).toBe('Hello Ann, your number, Ann, is {number}.')
  for (const name of [null, '', ' '])
    expect(fillIn('Hello {name}', { name, username: 'ann7' })).toBe('Hello ann7')
})

it('inserts a name with special characters as it is', () => {
  expect(fillIn('Hello {name}', { name: '$& {name}', username: 'x' })).toBe('Hello $& {name}')
})
