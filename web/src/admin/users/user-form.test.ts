import type { AdminUser } from '@trunkline/contract/admin-users'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { expect, it } from 'vitest'
import { changedFields, editOf, faultsIn, rebase, typedFrom } from './user-form.ts'

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
  bal: 10.5,
  held: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  version: 3,
}
const typed = typedFrom(user)
const sending = { reason: 'goodwill', requestKey: 'key-of-form' }

it('sends what was changed and nothing else; balances are compared as numbers', () => {
  expect(changedFields({ ...typed, bal: '10.500', company: ' Acme ' }, user)).toEqual([])
  const edited = { ...typed, company: 'New Ltd', is_premium: true, bal: '12' }
  const changed = changedFields(edited, user)
  expect(changed).toEqual(['company', 'bal', 'is_premium'])
  expect(editOf(edited, user, changed, sending)).toEqual({
    id: 7,
    version: 3,
    company: 'New Ltd',
    is_premium: true,
    bal: 12,
    bal_was: 10.5,
    reason: 'goodwill',
    request_key: 'key-of-form',
  })
  expect(editOf({ ...typed, email: ' c@example.com ' }, user, ['email'], sending)).toEqual({
    id: 7,
    version: 3,
    email: 'c@example.com',
  })
})

it('finds faults only in what was touched, and asks why a balance moves', () => {
  const edited = { ...typed, username: 'no name', bal: 'ten', websiteip: '300.1.1.1', host: 'x' }
  expect(faultsIn(edited, changedFields(edited, user), '')).toEqual({
    username: ownMessages.usernameCharacters,
    bal: ownMessages.amountInvalid,
    websiteip: ownMessages.websiteIpInvalid,
    host: messages.hostTooShort,
    reason: ownMessages.reasonMissing,
  })
  const odd = { ...user, host: 'an old way of writing' }
  const renamed = { ...typedFrom(odd), username: 'caroline' }
  expect(faultsIn(renamed, changedFields(renamed, odd), '')).toEqual({})
  expect(faultsIn({ ...typed, bal: '' }, ['bal'], 'why')).toEqual({ bal: ownMessages.amountInvalid })
})

it('keeps what was typed and takes over what another changed, and says what that was', () => {
  const now = { ...user, company: 'Theirs', country: 'France', bal: 9, version: 4 }
  const edited = { ...typed, company: 'Mine' }
  const { typed: after, theirs } = rebase(edited, user, now)
  expect(after).toEqual({ ...typed, company: 'Mine', country: 'France', bal: '9' })
  expect(theirs).toEqual([
    { label: 'Company', was: 'Acme', is: 'Theirs' },
    { label: 'Country', was: 'empty', is: 'France' },
    { label: 'Balance', was: '$10.50', is: '$9.00' },
  ])
})
