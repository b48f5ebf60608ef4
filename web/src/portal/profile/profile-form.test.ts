import type { User } from '@trunkline/contract/accounts'
import { profileFieldNames } from '@trunkline/contract/user-fields'
import { expect, it } from 'vitest'
import { changeFrom, faultsFrom, type Typed, typedFrom, validateProfile } from './profile-form.ts'

const valid: Typed = { username: 'alice', company: 'Bell', home_country: 'GB', host: 'dynamic', password: '' }

it('holds and sends every field of the profile', () => {
  for (const name of profileFieldNames) {
    expect(typedFrom({ [name]: 'known' } as unknown as User)[name]).toBe('known')
    expect(changeFrom({ ...valid, [name]: 'changed' })).toMatchObject({ [name]: 'changed' })
  }
})

it('starts with the saved values and an empty password', () => {
  const user = { username: 'alice', company: null, home_country: null, host: 'pbx.example' } as Parameters<
    typeof typedFrom
  >[0]
  expect(typedFrom(user)).toEqual({
    username: 'alice',
    company: '',
    home_country: '',
    host: 'pbx.example',
    password: '',
  })
})

it.each<[change: Partial<Typed>, field: keyof Typed, words: string]>([
  [{ username: ' ' }, 'username', 'Please enter your username.'],
  [{ username: 'no spaces' }, 'username', 'Usernames can have up to 64 characters'],
  [{ username: 'x'.repeat(65) }, 'username', 'Usernames can have up to 64 characters'],
  [{ company: ' ' }, 'company', 'Please enter your company.'],
  [{ host: '' }, 'host', 'Host must be at least 3 characters'],
  [{ host: 'ab ' }, 'host', 'Host must be at least 3 characters'],
  [{ password: 'seven77' }, 'password', 'Password must be at least 8 characters long'],
])('rejects %j', (change, field, words) => {
  expect(validateProfile({ ...valid, ...change })).toEqual({ [field]: expect.stringContaining(words) })
})

it('accepts valid values, with and without a password', () => {
  expect(validateProfile(valid)).toEqual({})
  expect(validateProfile({ ...valid, password: 'long enough' })).toEqual({})
})

it('sends no empty password, and never the host', () => {
  expect(changeFrom({ ...valid, username: ' alice ' })).toEqual({
    username: 'alice',
    company: 'Bell',
    home_country: 'GB',
  })
  expect(changeFrom({ ...valid, password: ' as typed ' })).toEqual({
    username: 'alice',
    company: 'Bell',
    home_country: 'GB',
    password: ' as typed ',
  })
})

it('assigns server errors to their fields', () => {
  expect(faultsFrom([{ field: 'username', message: 'taken' }])).toEqual({ username: 'taken' })
  expect(faultsFrom([{ field: 'elsewhere', message: 'odd' }])).toEqual({})
})
