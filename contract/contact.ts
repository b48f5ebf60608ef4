import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { EmailAddress, filled, Id, Message, Timestamp } from './fields.ts'
import { CONTACT_MESSAGE_MAX, CONTACT_NAME_MAX, CONTACT_PHONE_MAX, CONTACT_PHONE_PATTERN } from './limits.ts'
import { ownMessages } from './messages.ts'
import { IdInPath, Next, page } from './money.ts'

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

/** A contact request for administrators. */
export const KeptContactRequest = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  message: z.string(),
  created_at: Timestamp,
  handled_at: Timestamp.nullable(),
  handled_by: z.string().nullable(),
})
export type KeptContactRequest = z.output<typeof KeptContactRequest>

export const contact = {
  'POST /api/contact': {
    access: 'anyone',
    summary: 'Send a contact request from the landing page',
    body: ContactRequest,
    answer: Message,
    refusals: ['too_many_requests'],
  },
  'GET /api/admin/contact-requests': {
    access: 'admin',
    summary: 'List contact requests, newest first, with the number of unhandled requests',
    query: z.strictObject({ ...page, state: z.enum(['open', 'handled']).default('open') }),
    answer: z.object({ requests: z.array(KeptContactRequest), open: z.int(), next: Next }),
  },
  'PATCH /api/admin/contact-requests/:id': {
    access: 'admin',
    summary: 'Mark a contact request as handled or unhandled',
    params: IdInPath,
    body: z.strictObject({ handled: z.boolean() }),
    answer: z.object({ request: KeptContactRequest }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
