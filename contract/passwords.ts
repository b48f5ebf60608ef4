import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { EmailAddress, Message, NewPassword, SipAccess, TypedPassword } from './fields.ts'

export const passwords = {
  'POST /api/auth/change-password': {
    access: 'user',
    summary: 'Change the password; every token of the account dies and a new one is answered',
    body: z.strictObject({ currentPassword: TypedPassword, newPassword: NewPassword }),
    answer: z.object({ message: z.string(), token: z.string() }),
    refusals: ['current_password_incorrect'],
  },
  'POST /api/auth/forgot-password': {
    access: 'anyone',
    summary: 'Ask for a reset link; the answer is the same whether the address is known or not',
    body: z.strictObject({ email: EmailAddress }),
    answer: Message,
    refusals: ['too_many_requests'],
  },
  'POST /api/auth/reset-password': {
    access: 'anyone',
    summary:
      'Set a new password with the token of a reset link; works once. Ends the SIP password and trusted addresses unless told to keep them',
    body: z.strictObject({
      token: z.string().min(1).max(200),
      newPassword: NewPassword,
      sip_access: SipAccess,
    }),
    answer: Message,
    refusals: ['reset_link_dead', 'too_many_requests'],
  },
} as const satisfies Endpoints
