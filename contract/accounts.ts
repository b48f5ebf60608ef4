import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { EmailAddress, filled, Id, NewPassword, Timestamp, Username } from './fields.ts'
import { COMPANY_MAX, HOST_MAX } from './limits.ts'
import { ownMessages } from './messages.ts'
import { pickFields, profileFieldNames } from './user-fields.ts'
import { shownFields, writableFields } from './user-schemas.ts'

/** A user without the password. Flags are always booleans. */
export const User = z.object({
  id: Id,
  ...shownFields,
  is_admin: z.boolean(),
  is_premium: z.boolean(),
  /** Dollars with six decimals. Screens round down to the cent. */
  bal: z.number(),
  /** The part of `bal` that is held for live calls. */
  held: z.number(),
  createdAt: Timestamp,
})
export type User = z.output<typeof User>

const Company = filled(ownMessages.companyMissing, COMPANY_MAX)

export const accounts = {
  'POST /register': {
    access: 'anyone',
    summary: 'Create an account',
    body: z.strictObject({
      username: Username,
      password: NewPassword,
      /** Unverified until the user opens the mailed link. */
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
        ...pickFields(writableFields, profileFieldNames),
        company: Company,
        password: NewPassword,
        /** Must equal the current value, because only an administrator can change it. */
        websiteip: z.string().trim().max(HOST_MAX, ownMessages.websiteIpNotYours).nullable(),
      })
      .partial(),
    answer: z.object({
      user: User,
      message: z.string(),
      /** SIP digests include the username, so a new username invalidates the SIP password. */
      sip_password_ended: z.boolean(),
    }),
    /** The service also requires it for a new username. */
    needsProof: ['password'],
    refusals: ['username_taken', 'admin_only', 'password_needed', 'too_many_requests'],
  },
} as const satisfies Endpoints
