import { countryCode } from '@trunkline/domain/countries'
import { parseDollars } from '@trunkline/domain/money'
import { z } from 'zod'
import { filled } from './fields.ts'
import {
  BUY_RATES_MAX,
  CATALOGUE_NAME_MAX,
  INCREMENT_MAX_SECONDS,
  PRICE_MAX_DOLLARS,
  ROUTE_RATES_MAX,
} from './limits.ts'
import { ownMessages } from './messages.ts'

/** Fields for rates and prices. */

/** Accepts an English name or a code and returns the code. */
export const GivenCountry = z
  .string({ error: ownMessages.countryUnknown })
  .max(100, ownMessages.countryUnknown)
  .transform((given, context) => {
    const code = countryCode(given)
    if (code === null) context.addIssue({ code: 'custom', message: ownMessages.countryUnknown })
    return code ?? z.NEVER
  })

export const dollarsUpTo = (max: number, error: string) =>
  z
    .number({ error })
    .min(0, error)
    .max(max, error)
    .refine((amount) => parseDollars(amount).ok, error)

/** Dollars per minute. */
export const Price = dollarsUpTo(PRICE_MAX_DOLLARS, ownMessages.priceInvalid)
export const ConnectFee = dollarsUpTo(PRICE_MAX_DOLLARS, ownMessages.feeInvalid)
export const Increment = z
  .int(ownMessages.incrementInvalid)
  .min(1, ownMessages.incrementInvalid)
  .max(INCREMENT_MAX_SECONDS, ownMessages.incrementInvalid)

const Prefix = z
  .string({ error: ownMessages.prefixInvalid })
  .trim()
  .regex(/^[0-9]{1,15}$/, ownMessages.prefixInvalid)

export const named = (missing: string) => filled(missing, CATALOGUE_NAME_MAX)

const RateLine = z.strictObject({
  prefix: Prefix,
  price: Price,
  connect_fee: ConnectFee.default(0),
  first_increment: Increment.default(1),
  next_increment: Increment.default(1),
})

/** Reports all invalid lines with their numbers at once, including duplicate prefixes. */
const linesUpTo = (most: number) =>
  z
    .array(z.custom<z.input<typeof RateLine>>())
    .max(most, `A price list has at most ${most} lines.`)
    .transform((given, context) => {
      const lines: z.output<typeof RateLine>[] = []
      const firstAt = new Map<string, number>()
      const addIssue = (path: PropertyKey[], message: string) =>
        context.addIssue({ code: 'custom', path, message: `Line ${Number(path[0]) + 1}: ${message}` })
      for (const [at, line] of given.entries()) {
        const parsed = RateLine.safeParse(line)
        if (!parsed.success) {
          for (const { path, message } of parsed.error.issues) addIssue([at, ...path], message)
          continue
        }
        const { prefix } = parsed.data
        const first = firstAt.get(prefix)
        if (first !== undefined) addIssue([at, 'prefix'], `${prefix} is already on line ${first + 1}.`)
        firstAt.set(prefix, first ?? at)
        lines.push(parsed.data)
      }
      return lines
    })

export const RouteRateLines = linesUpTo(ROUTE_RATES_MAX)
export const BuyRateLines = linesUpTo(BUY_RATES_MAX)

/** How a call is billed, in answers: dollars for each answered call, and seconds. */
export const billing = {
  connect_fee: z.number(),
  /** Calls are charged by the first block, then by whole next blocks. */
  first_increment: z.int(),
  next_increment: z.int(),
}

/** A rate of a route or trunk in answers. */
export const Rate = z.object({
  /** Dollars per minute. */
  price: z.number(),
  ...billing,
})
export const PrefixRate = Rate.extend({ prefix: z.string() })
