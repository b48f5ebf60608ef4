import {
  CONTACT_MESSAGE_MAX,
  CONTACT_NAME_MAX,
  CONTACT_PHONE_MAX,
  CONTACT_PHONE_PATTERN,
  EMAIL_MAX,
} from '@trunkline/contract/limits'
import { keepUnder, ownMessages } from '@trunkline/contract/messages'

const contactFields = ['name', 'email', 'phone', 'message'] as const
type ContactField = (typeof contactFields)[number]
export type ContactText = Record<ContactField, string>
type ContactErrors = Partial<ContactText>

export const emptyContact: ContactText = { name: '', email: '', phone: '', message: '' }

/** Mirrors the contract without zod, which would double the script of this page. The server validates again. */
const rules: Record<ContactField, (text: string) => string | undefined> = {
  name: (text) => filled(text, ownMessages.contactNameMissing, CONTACT_NAME_MAX),
  email: (text) =>
    text.length > EMAIL_MAX || !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)
      ? ownMessages.emailInvalid
      : undefined,
  phone: (text) =>
    text.length > CONTACT_PHONE_MAX || !CONTACT_PHONE_PATTERN.test(text)
      ? ownMessages.phoneInvalid
      : undefined,
  message: (text) => filled(text, ownMessages.contactMessageMissing, CONTACT_MESSAGE_MAX),
}

function filled(text: string, missing: string, max: number): string | undefined {
  if (text === '') return missing
  return text.length > max ? keepUnder(max) : undefined
}

export const trimmed = (typed: ContactText): ContactText => ({
  name: typed.name.trim(),
  email: typed.email.trim(),
  phone: typed.phone.trim(),
  message: typed.message.trim(),
})

export function validateContact(typed: ContactText): ContactErrors {
  const text = trimmed(typed)
  const faults: ContactErrors = {}
  for (const field of contactFields) {
    const fault = rules[field](text[field])
    if (fault) faults[field] = fault
  }
  return faults
}
