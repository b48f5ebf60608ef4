import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { EmailAddress, Message, NewPassword, SipAccess, TypedPassword } from './fields.ts'

export const passwords = {
  'POST /api/auth/change-password': {
    access: 'user',
    summary: 'Change your password. All tokens of the account end; the response contains a new one',
    body: z.strictObject({ currentPassword: TypedPassword, newPassword: NewPassword }),
    answer: z.object({ message: z.string(), token: z.string() }),
    refusals: ['current_password_incorrect'],
  },
  'POST /api/auth/forgot-password': {
    access: 'anyone',
    summary: 'Request a password reset link. The response is the same for known and unknown addresses',
    body: z.strictObject({ email: EmailAddress }),
    answer: Message,
    refusals: ['too_many_requests'],
  },
  'POST /api/auth/reset-password': {
    access: 'anyone',
    summary:
      'Set a new password with the token of a reset link. A token works once. Also ends the SIP password and trusted addresses unless `sip_access` is `keep`',
    body: z.strictObject({
      token: z.string().min(1).max(200),
      newPassword: NewPassword,
      sip_access: SipAccess,
    }),
    answer: Message,
    refusals: ['reset_link_dead', 'too_many_requests'],
  },
} as const satisfies Endpoints
