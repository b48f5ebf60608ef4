import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { EmailAddress, Message } from './fields.ts'
import { CONTACT_MESSAGE_MAX, CONTACT_NAME_MAX, CONTACT_PHONE_MAX } from './limits.ts'

const filled = (label: string, max: number) =>
  z
    .string({ error: `Please enter ${label}` })
    .trim()
    .min(1, `Please enter ${label}`)
    .max(max, `Please keep this under ${max} characters`)

export const ContactRequest = z.strictObject({
  name: filled('your full name', CONTACT_NAME_MAX),
  email: EmailAddress,
  phone: z
    .string()
    .trim()
    .max(CONTACT_PHONE_MAX, 'Please enter a valid phone number')
    .regex(/^$|^\+?[0-9 ()./-]{5,}$/, 'Please enter a valid phone number')
    .default(''),
  message: filled('a message', CONTACT_MESSAGE_MAX),
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
