import { parseAmount, parseDollars } from '@trunkline/domain/money'
import { z } from 'zod'
import { filled } from './fields.ts'
import { PAGE_DEFAULT, PAGE_MAX, REASON_MAX } from './limits.ts'
import { messages, ownMessages } from './messages.ts'

/** Fields for amounts. JSON has dollars as numbers; the code uses integer micro-dollars. */

/** Above $0, at most $10000, whole cents. */
export const TopUpAmount = z
  .number({ error: messages.selectAmount })
  .positive(messages.selectAmount)
  .max(10_000, ownMessages.amountTooLarge)
  .refine((amount) => parseAmount(amount).ok, ownMessages.wholeCents)

/** A positive amount with up to six decimals. */
export const Amount = z
  .number({ error: ownMessages.amountInvalid })
  .positive(ownMessages.amountInvalid)
  .refine((amount) => parseDollars(amount).ok, ownMessages.amountInvalid)

/** Positive to credit, negative to debit. */
export const SignedAmount = z
  .number({ error: ownMessages.amountInvalid })
  .refine((amount) => amount !== 0 && parseDollars(amount).ok, ownMessages.amountInvalid)

/** Stored permanently in the audit log. */
export const Reason = filled(ownMessages.reasonMissing, REASON_MAX)

/** Idempotency key. The screen creates it when it opens the form. */
export const RequestKey = z
  .string()
  .regex(/^[A-Za-z0-9-]{8,64}$/, 'must be 8 to 64 letters, digits and dashes, such as a UUID')

/** The size of a page, as a query parameter. */
export const pageSize = (max: number, initial: number) =>
  z.coerce.number<number>().int().min(1).max(max).default(initial)

/**
 * Pages go back in time. `before` is `next` of the previous page; the first request omits it, and `next` is null on the
 * last page. Query parameters are text, hence the coercion.
 */
export const page = {
  before: z.coerce.number<number>().int().positive().optional(),
  limit: pageSize(PAGE_MAX, PAGE_DEFAULT),
}
export const Next = z.int().positive().nullable()

/** Maximum of a PostgreSQL integer. Larger ids give 400 instead of a database error. */
const ID_MAX = 2_147_483_647
export const GivenId = z.int().positive().max(ID_MAX)
export const IdInAddress = z.coerce.number<number>().int().positive().max(ID_MAX)
export const IdInPath = z.strictObject({ id: IdInAddress })
export const VersionInAddress = z.coerce.number<number>().int().positive()
