import { z } from 'zod'
import { User } from './accounts.ts'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, SipAccess, Timestamp, TypedPassword, TypedUsername } from './fields.ts'
import { IdInPath } from './money.ts'

const Token = z.string()

export const OpenSession = z.object({
  id: Id,
  /** Derived from the user agent: `Firefox on Windows`. */
  device: z.string(),
  /** For IPv6 the network, not the full address. */
  address: z.string(),
  since: Timestamp,
  /** Rounded to the minute. */
  last_used: Timestamp,
  /** True for the session of this request. */
  is_current: z.boolean(),
})
export type OpenSession = z.output<typeof OpenSession>

export const sessions = {
  'POST /api/auth/login': {
    access: 'anyone',
    summary: 'Sign in. Send the token in the `Authorization` header of later requests',
    body: z.strictObject({ username: TypedUsername, password: TypedPassword }),
    answer: z.object({ user: User, token: Token }),
    refusals: ['invalid_credentials', 'too_many_logins'],
  },
  'GET /api/auth/verify': {
    access: 'user',
    summary: 'Check a token and get its user',
    answer: z.object({ user: User }),
  },
  'GET /api/auth/me': {
    access: 'user',
    summary: 'Get the signed-in user',
    answer: z.object({ user: User }),
  },
  'POST /api/auth/logout': {
    access: 'user',
    summary: 'Sign out. The token ends immediately',
    answer: Message,
  },
  'POST /api/auth/prove': {
    access: 'user',
    summary:
      'Confirm your password. For ten minutes this session can make changes that require a recent password',
    body: z.strictObject({ password: TypedPassword }),
    answer: Message,
    refusals: ['current_password_incorrect', 'too_many_requests'],
  },
  'GET /api/user/sessions': {
    access: 'user',
    summary: 'List your sessions, last used first',
    answer: z.object({ sessions: z.array(OpenSession) }),
  },
  'DELETE /api/user/sessions/:id': {
    access: 'user',
    summary: 'End one of your sessions. Its token ends immediately',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found'],
  },
  'DELETE /api/user/sessions': {
    access: 'user',
    summary:
      'End all your other sessions. Also ends the SIP password and trusted addresses unless `sip_access` is `keep`',
    query: z.strictObject({ sip_access: SipAccess }),
    answer: z.object({ message: z.string(), ended: z.int() }),
  },
} as const satisfies Endpoints
