import { parseAmount, parseDollars } from '@trunkline/domain/money'
import { z } from 'zod'
import { PAGE_DEFAULT, PAGE_MAX, REASON_MAX } from './limits.ts'
import { keepUnder, messages, ownMessages } from './messages.ts'

/** Fields of money. On the wire an amount is a number of dollars; inside it is an integer of micro-dollars. */

/** Above 0, at most 10000, whole cents. */
export const TopUpAmount = z
  .number({ error: messages.selectAmount })
  .positive(messages.selectAmount)
  .max(10_000, ownMessages.amountTooLarge)
  .refine((amount) => parseAmount(amount).ok, ownMessages.wholeCents)

/** What an administrator moves: exact to the micro-dollar, above zero. */
export const Amount = z
  .number({ error: ownMessages.amountInvalid })
  .positive(ownMessages.amountInvalid)
  .refine((amount) => parseDollars(amount).ok, ownMessages.amountInvalid)

/** Given when above zero, taken when below. */
export const SignedAmount = z
  .number({ error: ownMessages.amountInvalid })
  .refine((amount) => amount !== 0 && parseDollars(amount).ok, ownMessages.amountInvalid)

/** Why an administrator did it; it stands in the audit log for good. */
export const Reason = z
  .string({ error: ownMessages.reasonMissing })
  .trim()
  .min(1, ownMessages.reasonMissing)
  .max(REASON_MAX, keepUnder(REASON_MAX))

/** Made by the screen when its form opens: sent twice under one key, a command is done once. */
export const RequestKey = z
  .string()
  .regex(/^[A-Za-z0-9-]{8,64}$/, 'must be 8 to 64 letters, digits and dashes, such as a UUID')

/**
 * Pages go backwards in time: `before` is the `next` of the page before, absent on the first; `next` is null on the
 * last. Numbers arrive as text in an address, hence the coercion.
 */
export const page = {
  before: z.coerce.number<number>().int().positive().optional(),
  limit: z.coerce.number<number>().int().min(1).max(PAGE_MAX).default(PAGE_DEFAULT),
}
export const Next = z.int().positive().nullable()

/** The largest id that the database can hold: a larger one is a mistake of the caller, not of ours. */
const ID_MAX = 2_147_483_647
export const GivenId = z.int().positive().max(ID_MAX)
export const IdInAddress = z.coerce.number<number>().int().positive().max(ID_MAX)
/** The `:id` of an address. */
export const IdInPath = z.strictObject({ id: IdInAddress })
