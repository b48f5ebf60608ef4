import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, NewPassword, Timestamp, Username } from './fields.ts'

/** A user as everyone but the database sees them: never a password, flags always booleans. */
export const User = z.object({
  id: Id,
  username: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  host: z.string(),
  company: z.string().nullable(),
  country: z.string().nullable(),
  websiteip: z.string().nullable(),
  is_admin: z.boolean(),
  is_premium: z.boolean(),
  /** Dollars, exact to the millionth; what shows it rounds down to the cent. */
  bal: z.number(),
  /** How much of `bal` is set aside for live calls. */
  held: z.number(),
  createdAt: Timestamp,
})
export type User = z.output<typeof User>

export const accounts = {
  'POST /register': {
    access: 'anyone',
    summary: 'Create an account',
    body: z.strictObject({ username: Username, password: NewPassword }),
    answer: z.object({ success: z.literal(true), message: z.string(), user_id: Id }),
    refusals: ['username_taken'],
    // The specification reads `error` as a sentence here.
    failure: z.object({ success: z.literal(false), message: z.string(), error: z.string() }),
  },
} as const satisfies Endpoints
