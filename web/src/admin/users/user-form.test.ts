import type { AdminUser } from '@trunkline/contract/admin-users'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { userFieldNames } from '@trunkline/contract/user-fields'
import { expect, it } from 'vitest'
import { merge } from '../../common/forms/conflict.ts'
import { changesOf, comparison, editOf, labels, validateUser, valuesOf } from './user-form.ts'

const user: AdminUser = {
  id: 7,
  username: 'carol',
  email: null,
  name: null,
  company: 'Acme',
  country: null,
  host: 'dynamic',
  home_country: null,
  websiteip: null,
  is_admin: false,
  is_premium: false,
  is_disabled: false,
  tags: [],
  bal: 10.5,
  held: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  version: 3,
}
const values = valuesOf(user)
const KEY = 'key-of-form'

it('holds every field of a user', () => {
  expect(Object.keys(values)).toEqual(expect.arrayContaining(userFieldNames))
  expect(Object.keys(labels)).toEqual(expect.arrayContaining(userFieldNames))
})

it('sends every field that was changed', () => {
  for (const name of userFieldNames)
    expect(editOf({ ...values, [name]: 'changed' }, user, KEY)).toEqual({
      id: 7,
      version: 3,
      [name]: 'changed',
    })
})

it('sends what was changed and nothing else; balances are compared as numbers', () => {
  expect(changesOf({ ...values, bal: '10.500', company: ' Acme ' }, user)).toEqual([])
  const edited = { ...values, company: 'New Ltd', is_premium: true, bal: '12', reason: 'goodwill' }
  expect(changesOf(edited, user)).toEqual(['company', 'bal', 'is_premium'])
  expect(editOf(edited, user, KEY)).toEqual({
    id: 7,
    version: 3,
    company: 'New Ltd',
    is_premium: true,
    bal: 12,
    bal_was: 10.5,
    reason: 'goodwill',
    request_key: KEY,
  })
  expect(editOf({ ...values, email: ' c@example.com ' }, user, KEY)).toEqual({
    id: 7,
    version: 3,
    email: 'c@example.com',
  })
})

it('validates only changed fields, and requires a reason for a new balance', () => {
  const edited = { ...values, username: 'no name', bal: 'ten', websiteip: '300.1.1.1', host: 'x' }
  expect(validateUser(edited, user)).toEqual({
    username: ownMessages.usernameCharacters,
    bal: ownMessages.amountInvalid,
    websiteip: ownMessages.websiteIpInvalid,
    host: messages.hostTooShort,
    reason: ownMessages.reasonMissing,
  })
  const odd = { ...user, host: 'an old way of writing' }
  expect(validateUser({ ...valuesOf(odd), username: 'caroline' }, odd)).toEqual({})
  expect(validateUser({ ...values, bal: '', reason: 'why' }, user)).toEqual({
    bal: ownMessages.amountInvalid,
  })
})

it('keeps what was typed after a conflict and lists what someone else changed', () => {
  const saved = { ...user, company: 'Theirs', country: 'France', bal: 9, version: 4 }
  const merged = merge({ ...values, company: 'Mine', reason: 'why' }, values, valuesOf(saved), comparison)
  expect(merged.values).toEqual({ ...values, company: 'Mine', reason: 'why', country: 'France', bal: '9' })
  expect(merged.changes).toEqual([
    { label: 'Company', was: 'Acme', is: 'Theirs' },
    { label: 'Country', was: 'None', is: 'France' },
    { label: 'Balance', was: '$10.50', is: '$9.00' },
  ])
})
