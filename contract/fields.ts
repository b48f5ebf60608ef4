import { isTruthyFlag } from '@trunkline/domain/access'
import { z } from 'zod'
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN, USERNAME_MAX, USERNAME_PATTERN } from './limits.ts'
import { messages, ownMessages } from './messages.ts'

/** Fields that several endpoints share. */

const required = { error: messages.fillInAllFields }

export const Username = z
  .string(required)
  .trim()
  .min(1, messages.fillInAllFields)
  .max(USERNAME_MAX, ownMessages.usernameCharacters)
  .regex(USERNAME_PATTERN, ownMessages.usernameCharacters)

/** For signing in: whatever was typed is compared, the rules for new names do not matter. */
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

/** What becomes of the SIP password, the trusted addresses and the calls of phones when sessions end. */
export const SipAccess = z.enum(['end', 'keep']).default('end')

export const Timestamp = z.iso.datetime()
/** The specification lets flags come as true, 1, '1' or 'true', and as their opposites. */
export const GivenFlag = z
  .union([z.boolean(), z.literal([1, 0, '1', '0', 'true', 'false'])], { error: ownMessages.flagInvalid })
  .transform(isTruthyFlag)

export const Id = z.int().positive()
export const Message = z.object({ message: z.string() })
