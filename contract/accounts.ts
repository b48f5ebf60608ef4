import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { EmailAddress, Id, NewPassword, Timestamp, Username } from './fields.ts'
import { COMPANY_MAX, HOST_MAX } from './limits.ts'
import { keepUnder, ownMessages } from './messages.ts'
import { GivenCountry } from './rates.ts'

/** A user as everyone but the database sees them: never a password, flags always booleans. */
export const User = z.object({
  id: Id,
  username: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  host: z.string(),
  company: z.string().nullable(),
  country: z.string().nullable(),
  /** The code of the country in which national numbers are dialed; null: international numbers only. */
  home_country: z.string().nullable(),
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

/** By its English name or its code; empty or null: none. */
export const HomeCountry = z.union([z.literal('').transform(() => null), GivenCountry]).nullable()

const Company = z
  .string({ error: ownMessages.companyMissing })
  .trim()
  .min(1, ownMessages.companyMissing)
  .max(COMPANY_MAX, keepUnder(COMPANY_MAX))

export const accounts = {
  'POST /register': {
    access: 'anyone',
    summary: 'Create an account',
    body: z.strictObject({
      username: Username,
      password: NewPassword,
      /** A link is mailed there; the address counts once it is opened. */
      email: EmailAddress.optional(),
    }),
    answer: z.object({ success: z.literal(true), message: z.string(), user_id: Id }),
    refusals: ['username_taken'],
    // The specification reads `error` as a sentence here.
    failure: z.object({ success: z.literal(false), message: z.string(), error: z.string() }),
  },
  'PATCH /api/user/profile': {
    access: 'user',
    summary: 'Update your profile. A new password ends all other sessions',
    body: z
      .strictObject({
        username: Username,
        company: Company,
        password: NewPassword,
        home_country: HomeCountry,
        /** Taken as long as it is the one that is shown: an administrator sets it. */
        websiteip: z.string().trim().max(HOST_MAX, ownMessages.websiteIpNotYours).nullable(),
      })
      .partial(),
    answer: z.object({
      user: User,
      message: z.string(),
      /** SIP digests are made with the name: a new one ends the phones' password. */
      sip_password_ended: z.boolean(),
    }),
    /** A new username needs it too. */
    needsProof: ['password'],
    refusals: ['username_taken', 'admin_only', 'password_needed', 'too_many_requests'],
  },
} as const satisfies Endpoints
