import { ContactRequest } from '@trunkline/contract/contact'
import { expect, test } from 'vitest'
import { type ContactText, trimmed, validateContact } from './contact-rules.ts'

const good: ContactText = {
  name: 'Ada Lovelace',
  email: 'ada@example.test',
  phone: '+44 20 7946 0321',
  message: 'Hello',
}

const cases: [string, Partial<ContactText>][] = [
  ['valid input', {}],
  ['no phone number', { phone: '' }],
  ['surrounding spaces', { name: '  Ada ', email: ' ada@example.test ', message: ' Hello ' }],
  ['only spaces', { name: '   ', message: '  ' }],
  ['empty input', { name: '', email: '', phone: '', message: '' }],
  ['an incomplete email address', { email: 'ada@' }],
  ['an email address without a top-level domain', { email: 'ada@example' }],
  ['text as a phone number', { phone: 'call me' }],
  ['a phone number that is too long', { phone: '1'.repeat(41) }],
  ['a message that is too long', { message: 'x'.repeat(4_001) }],
  ['a name that is too long', { name: 'x'.repeat(121) }],
]

test.each(cases)('the browser and the contract agree on %s', (_, changes) => {
  const typed = { ...good, ...changes }
  const parsed = ContactRequest.safeParse(trimmed(typed))
  const expected = Object.fromEntries(
    (parsed.error?.issues ?? []).toReversed().map((issue) => [issue.path[0], issue.message]),
  )
  expect(validateContact(typed)).toEqual(expected)
})
