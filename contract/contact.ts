import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { EmailAddress, Message } from './fields.ts'
import { CONTACT_MESSAGE_MAX, CONTACT_NAME_MAX, CONTACT_PHONE_MAX, CONTACT_PHONE_PATTERN } from './limits.ts'
import { keepUnder, ownMessages } from './messages.ts'

const filled = (missing: string, max: number) =>
  z.string({ error: missing }).trim().min(1, missing).max(max, keepUnder(max))

export const ContactRequest = z.strictObject({
  name: filled(ownMessages.contactNameMissing, CONTACT_NAME_MAX),
  email: EmailAddress,
  phone: z
    .string()
    .trim()
    .max(CONTACT_PHONE_MAX, ownMessages.phoneInvalid)
    .regex(CONTACT_PHONE_PATTERN, ownMessages.phoneInvalid)
    .default(''),
  message: filled(ownMessages.contactMessageMissing, CONTACT_MESSAGE_MAX),
})
export type ContactRequest = z.output<typeof ContactRequest>

export const contact = {
  'POST /api/contact': {
    access: 'anyone',
    summary: 'A message from the landing page, kept for the administrators',
    body: ContactRequest,
    answer: Message,
    refusals: ['too_many_requests'],
  },
} as const satisfies Endpoints
