import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp, textUpTo } from './fields.ts'
import { CALLER_ID_PATTERN, REASON_MAX, SEARCH_MAX } from './limits.ts'
import { messages } from './messages.ts'
import { IdInPath, Next, page } from './money.ts'

/** Strips everything except digits. */
const CallerIdNumber = z
  .string({ error: messages.callerIdInvalid })
  .max(60, messages.callerIdInvalid)
  .transform((typed) => typed.replace(/\D/g, ''))
  .pipe(z.string().regex(CALLER_ID_PATTERN, messages.callerIdInvalid))

export const CallerIdState = z.enum(['pending', 'approved', 'rejected'])
export type CallerIdState = z.output<typeof CallerIdState>

export const CallerId = z.object({
  /** Null if none is set. Calls are then refused. */
  callerid: z.string().nullable(),
  countrycode: z.string(),
  name: z.string(),
  /** Null without a number, or if numbers need no approval. Calls are refused until the state is `approved`. */
  approval: z.object({ state: CallerIdState, note: z.string(), decided_at: Timestamp.nullable() }).nullable(),
})
export type CallerId = z.output<typeof CallerId>

/** A caller ID for administrators. */
export const CallerIdRequest = z.object({
  id: Id,
  callerid: z.string(),
  state: CallerIdState,
  user: z.object({ id: Id, username: z.string(), company: z.string().nullable() }),
  requested_at: Timestamp,
  decided_at: Timestamp.nullable(),
  decided_by: z.string().nullable(),
  /** The customer sees this note. */
  note: z.string(),
})
export type CallerIdRequest = z.output<typeof CallerIdRequest>

export const callerIds = {
  'GET /api/user/callerid': {
    access: 'user',
    summary: 'Get your caller ID',
    answer: CallerId,
  },
  'POST /api/user/callerid': {
    access: 'user',
    summary: 'Set your caller ID: 7 to 16 digits with the country code',
    needsProof: true,
    body: z.strictObject({
      callerid: CallerIdNumber,
      countrycode: textUpTo(8).default(''),
      /** Defaults to the username. */
      name: textUpTo(200).optional(),
    }),
    answer: CallerId.extend({ message: z.string() }),
  },
  'GET /api/admin/caller-ids': {
    access: 'admin',
    summary: 'List caller ID requests, newest first, with the number of pending requests',
    query: z.strictObject({
      ...page,
      state: CallerIdState.default('pending'),
      /** Prefix of a username or number. */
      search: z.string().trim().min(1).max(SEARCH_MAX).optional(),
    }),
    answer: z.object({
      requests: z.array(CallerIdRequest),
      pending: z.int(),
      /** False if every number is allowed (`CALLER_IDS=any`). */
      is_required: z.boolean(),
      next: Next,
    }),
  },
  'PATCH /api/admin/caller-ids/:id': {
    access: 'admin',
    summary: 'Approve or reject a caller ID, with a note for the customer',
    params: IdInPath,
    body: z.strictObject({
      state: z.enum(['approved', 'rejected']),
      note: textUpTo(REASON_MAX).optional(),
    }),
    answer: z.object({ request: CallerIdRequest, message: z.string() }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
