import { z } from 'zod'
import { STATUSES } from './invoice.ts'

/** Number of requests that the fault affects; without it, until it is reset. */
const times = z.number().int().positive().optional()

const errorAnswer = z.strictObject({
  kind: z.literal('error'),
  status: z.number().int().min(400).max(599).default(400),
  message: z.string().default('The sandbox was told to refuse this.'),
  type: z.string().default('sandbox'),
  key: z.string().default('sandbox_fault'),
  times,
})
/** A response from a gateway in between, not from the provider. */
const garbageAnswer = z.strictObject({
  kind: z.literal('garbage'),
  status: z.number().int().min(200).max(599).default(502),
  body: z.string().default('<html><body><h1>502 Bad Gateway</h1></body></html>'),
  times,
})
const noPaymentUrl = z.strictObject({
  kind: z.literal('no_payment_url'),
  message: z.string().optional(),
  times,
})
/** Never responds. `created`: whether the invoice is created anyway. */
const createTimeout = z.strictObject({ kind: z.literal('timeout'), created: z.boolean(), times })
/** The same, but closes the connection immediately. */
const createCut = z.strictObject({ kind: z.literal('disconnect'), created: z.boolean(), times })
const readTimeout = z.strictObject({ kind: z.literal('timeout'), times })
const readCut = z.strictObject({ kind: z.literal('disconnect'), times })

const createFault = z.discriminatedUnion('kind', [
  errorAnswer,
  garbageAnswer,
  noPaymentUrl,
  createTimeout,
  createCut,
])
const readFault = z.discriminatedUnion('kind', [errorAnswer, garbageAnswer, readTimeout, readCut])

const callbackFaults = z.strictObject({
  /** Number of times that each callback is sent. */
  copies: z.number().int().min(1).max(50),
  /** Order of the callbacks of one event (paying, then paid). */
  order: z.enum(['kept', 'reversed', 'shuffled']),
  /** Sends copies and statuses concurrently instead of one after the other. */
  at_once: z.boolean(),
  delay_seconds: z
    .number()
    .min(0)
    .max(7 * 86_400),
  /** Drops all callbacks, or those with these statuses. */
  drop: z.union([z.boolean(), z.array(z.enum(STATUSES))]),
  signature: z.enum(['right', 'wrong', 'missing', 'altered_body']),
})

export const faultChange = z.strictObject({
  callbacks: callbackFaults.partial().optional(),
  create: createFault.nullable().optional(),
  read: readFault.nullable().optional(),
  /** Time between detection (paying) and confirmation (paid or underpaid). */
  confirmation_seconds: z.number().min(0).max(86_400).optional(),
  /** Added by the payer when `fee_paid_by_payer` is 1. Real callbacks then report more than the amount. */
  payer_fee_percent: z.number().min(0).max(10).optional(),
})

export type CallbackFaults = z.infer<typeof callbackFaults>
export type CreateFault = z.infer<typeof createFault>
export type ReadFault = z.infer<typeof readFault>
export type FaultChange = z.infer<typeof faultChange>

export interface FaultState {
  callbacks: CallbackFaults
  create: CreateFault | null
  read: ReadFault | null
  confirmation_seconds: number
  payer_fee_percent: number
}

const HONEST: FaultState = {
  callbacks: { copies: 1, order: 'kept', at_once: false, delay_seconds: 0, drop: false, signature: 'right' },
  create: null,
  read: null,
  confirmation_seconds: 0,
  payer_fee_percent: 0,
}

/** The current faults, in memory only: a restart resets them. */
export class Faults {
  state: FaultState = HONEST

  change({ callbacks, ...rest }: FaultChange): FaultState {
    this.state = { ...this.state, ...rest, callbacks: { ...this.state.callbacks, ...callbacks } }
    return this.state
  }

  reset(): FaultState {
    this.state = HONEST
    return this.state
  }

  /** The fault for the next request; counts down a fault that is limited to n requests. */
  take<K extends 'create' | 'read'>(which: K): FaultState[K] {
    const fault = this.state[which]
    if (fault?.times !== undefined) {
      const left = fault.times - 1
      this.state = { ...this.state, [which]: left > 0 ? { ...fault, times: left } : null }
    }
    return fault
  }
}
