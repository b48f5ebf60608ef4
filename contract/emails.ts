import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { EmailAddress } from './fields.ts'

/** Emails are sent to verified addresses only. */
export const OwnEmail = z.object({
  email: z.string().nullable(),
  is_verified: z.boolean(),
  /** An unverified address. */
  pending: z.string().nullable(),
})
export type OwnEmail = z.output<typeof OwnEmail>

export const emails = {
  'GET /api/user/email': {
    access: 'user',
    summary: 'Get your email address and the address that is pending verification',
    answer: OwnEmail,
  },
  'PUT /api/user/email': {
    access: 'user',
    summary: 'Request a new email address. It takes effect when you open the mailed link',
    needsProof: true,
    body: z.strictObject({ email: EmailAddress }),
    answer: OwnEmail.extend({ message: z.string() }),
    refusals: ['too_many_requests'],
  },
  'POST /api/auth/verify-email': {
    access: 'anyone',
    summary: 'Verify an email address with the token of a mailed link. A token works once',
    body: z.strictObject({ token: z.string().min(1).max(200) }),
    answer: z.object({ message: z.string(), email: z.string() }),
    refusals: ['email_link_dead', 'too_many_requests'],
  },
} as const satisfies Endpoints
