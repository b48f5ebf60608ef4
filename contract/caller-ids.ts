import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { CALLER_ID_PATTERN } from './limits.ts'
import { keepUnder, messages } from './messages.ts'

/** Digits only: whatever else was typed is taken out. */
const CallerIdNumber = z
  .string({ error: messages.callerIdInvalid })
  .max(60, messages.callerIdInvalid)
  .transform((typed) => typed.replace(/\D/g, ''))
  .pipe(z.string().regex(CALLER_ID_PATTERN, messages.callerIdInvalid))

export const CallerId = z.object({
  /** Null: none is set, and no call can be made. */
  callerid: z.string().nullable(),
  countrycode: z.string(),
  name: z.string(),
})
export type CallerId = z.output<typeof CallerId>

export const callerIds = {
  'GET /api/user/callerid': {
    access: 'user',
    summary: 'The number that called people see',
    answer: CallerId,
  },
  'POST /api/user/callerid': {
    access: 'user',
    summary: 'Set the number that called people see: 7 to 16 digits with the country code',
    body: z.strictObject({
      callerid: CallerIdNumber,
      countrycode: z.string().trim().max(8, keepUnder(8)).default(''),
      /** The user name where none is given. */
      name: z.string().trim().max(200, keepUnder(200)).optional(),
    }),
    answer: CallerId.extend({ message: z.string() }),
  },
} as const satisfies Endpoints
