import { z } from 'zod'
import { CdrId } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'
import { Timestamp } from './fields.ts'

/** captured; off: the capture is turned off; expired: the call is older than the retention; none: nothing was captured. */
export const TRACE_STATES = ['captured', 'off', 'expired', 'none'] as const

/** The SIP messages of a call as a ladder. */
export const CallMessages = z.object({
  state: z.enum(TRACE_STATES),
  /** How many days messages are kept. */
  days: z.int(),
  /** The first column is the phone, the second the switch, the others are carriers in the order of the attempts. */
  columns: z.array(
    z.object({
      kind: z.enum(['phone', 'switch', 'carrier']),
      name: z.string(),
      /** `address:port` of the first message. Null for the switch. */
      address: z.string().nullable(),
    }),
  ),
  /** In order of time. */
  messages: z.array(
    z.object({
      /** By the clock of the switch. */
      at: Timestamp,
      /** Indexes of columns. */
      from: z.int(),
      to: z.int(),
      first_line: z.string(),
      method: z.string(),
      /** Null for a request. */
      status: z.int().nullable(),
      is_retransmission: z.boolean(),
      transport: z.string(),
      /** `address:port` of the phone or carrier. */
      peer: z.string(),
      /** The whole message. Passwords, digests and media keys are removed. */
      text: z.string(),
    }),
  ),
})
export type CallMessages = z.output<typeof CallMessages>

export const sipMessages = {
  'GET /api/admin/cdr/:id/messages': {
    access: 'admin',
    summary: 'Get the SIP messages of a call, without secrets',
    params: z.strictObject({ id: CdrId }),
    answer: z.object({ trace: CallMessages }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
