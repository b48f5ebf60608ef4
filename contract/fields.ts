import { isTruthyFlag } from '@trunkline/domain/access'
import { z } from 'zod'
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN, USERNAME_MAX, USERNAME_PATTERN } from './limits.ts'
import { keepUnder, messages, ownMessages } from './messages.ts'

/** Fields shared by several endpoints. */

const required = { error: messages.fillInAllFields }

export const Username = z
  .string(required)
  .trim()
  .min(1, messages.fillInAllFields)
  .max(USERNAME_MAX, ownMessages.usernameCharacters)
  .regex(USERNAME_PATTERN, ownMessages.usernameCharacters)

/** For sign-in. The rules for new usernames do not apply. */
export const TypedUsername = z.string(required).trim().min(1, messages.fillInAllFields).max(256)

export const TypedPassword = z
  .string(required)
  .min(1, messages.fillInAllFields)
  .max(PASSWORD_MAX, ownMessages.passwordTooLong)

export const NewPassword = TypedPassword.min(PASSWORD_MIN, messages.passwordTooShort)

export const EmailAddress = z
  .string({ error: ownMessages.emailInvalid })
  .trim()
  .toLowerCase()
  .max(EMAIL_MAX, ownMessages.emailInvalid)
  .pipe(z.email(ownMessages.emailInvalid))

/** Whether ending sessions also revokes the SIP password, trusted addresses and live calls. */
export const SipAccess = z.enum(['end', 'keep']).default('end')

export const Timestamp = z.iso.datetime()
/** The specification allows true, 1, '1', 'true' and their opposites. */
export const GivenFlag = z
  .union([z.boolean(), z.literal([1, 0, '1', '0', 'true', 'false'])], { error: ownMessages.flagInvalid })
  .transform(isTruthyFlag)

/** A text that is required. */
export const filled = (missing: string, max: number) =>
  z.string({ error: missing }).trim().min(1, missing).max(max, keepUnder(max))

export const textUpTo = (max: number) => z.string().trim().max(max, keepUnder(max))

export const Id = z.int().positive()
export const UserRef = z.object({ id: Id, username: z.string() })
export const Message = z.object({ message: z.string() })
