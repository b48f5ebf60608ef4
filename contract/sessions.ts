import { z } from 'zod'
import { User } from './accounts.ts'
import type { Endpoints } from './endpoint.ts'
import { Message, TypedPassword, TypedUsername } from './fields.ts'

const Token = z.string()

export const sessions = {
  'POST /api/auth/login': {
    access: 'anyone',
    summary: 'Sign in; the token goes into the Authorization header of later calls',
    body: z.strictObject({ username: TypedUsername, password: TypedPassword }),
    answer: z.object({ user: User, token: Token }),
    refusals: ['invalid_credentials', 'too_many_logins'],
  },
  'GET /api/auth/verify': {
    access: 'user',
    summary: 'Is the token still good, and whose is it',
    answer: z.object({ user: User }),
  },
  'GET /api/auth/me': {
    access: 'user',
    summary: 'The signed-in user',
    answer: z.object({ user: User }),
  },
  'POST /api/auth/logout': {
    access: 'user',
    summary: 'Sign out: the token is dead at once',
    answer: Message,
  },
} as const satisfies Endpoints
