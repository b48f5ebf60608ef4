import type { TrunkAttempt } from '@trunkline/contract/switch-protocol'
import { z } from 'zod'

/** How a simulated carrier handles a call. */
const carrier = z.strictObject({
  /** 200 answers the call; other codes end the attempt. 408 simulates a carrier without a reply. */
  code: z.number().int().min(200).max(699).default(200),
  /** Null waits for the `answer` control. */
  afterMs: z.number().int().min(0).nullable().default(2000),
  /** Null skips ringing. */
  ringAfterMs: z.number().int().min(0).nullable().default(500),
})
export type Carrier = z.output<typeof carrier>

/** A call to place, with the planned behavior of caller, carriers and callee. */
export const callPlan = z.strictObject({
  /** A call of a carrier to a rented number. The carriers of the plan are the targets to ring then. */
  incoming: z.strictObject({ from: z.string().max(100), name: z.string().max(100).default('') }).optional(),
  /** The authenticated user. Without one, the address identifies the caller. */
  user: z.string().min(1).max(200).optional(),
  /** Default: an address reserved for documentation. */
  address: z.string().min(1).max(100).default('198.51.100.10'),
  device: z.string().max(300).default('Demo phone'),
  to: z.string().max(100),
  /** In the order of the trunks; the last entry applies to all further trunks. */
  carriers: z
    .array(carrier)
    .min(1)
    .default([carrier.parse({})]),
  /** Time from the answer to the hangup; null means that nobody hangs up. */
  talkMs: z.number().int().min(0).nullable().default(60_000),
  hangsUp: z.enum(['caller', 'callee']).default('caller'),
  /** The caller cancels this long after the INVITE. */
  givesUpAfterMs: z.number().int().min(0).nullable().default(null),
  /** The reply of rtpengine about the speech, sent with the end of an answered call. */
  media: z.strictObject({ caller: z.string().max(100), reply: z.unknown() }).optional(),
})
export type CallPlan = z.output<typeof callPlan>
export type CallWish = z.input<typeof callPlan>

/** The true outcome of a call, to compare with call records and charges. */
export interface CallRecord {
  call: string
  user: string | null
  address: string
  to: string
  startedAt: number
  /** `unanswered`: no decision before the timeout. */
  decision: 'asking' | 'allowed' | 'refused' | 'unanswered'
  decidedAt: number | null
  /** The final SIP code for the caller; 200 after an answer. */
  code: number | null
  reason: string
  callerId: string | null
  attempts: TrunkAttempt[]
  trunk: number | null
  ringingAt: number | null
  answeredAt: number | null
  /** The latest covered seconds from call control. */
  coveredSeconds: number | null
  endedAt: number | null
  by: 'caller' | 'callee' | 'timeout' | 'control' | 'carrier' | 'death' | null
  /** Talk time, rounded up; 0 without an answer. */
  seconds: number
}

export type CallState = 'asking' | 'trying' | 'ringing' | 'answered'

export interface LiveCall {
  record: CallRecord
  plan: CallPlan
  state: CallState
  /** Trunks, or the targets of a ring plan. */
  trunks: readonly { id: number }[]
  /** Start of the current attempt. */
  triedAt: number
  /** Timers of the current state. */
  cancels: (() => void)[]
  onDecided: () => void
  onEnded: () => void
}

export interface PlacedCall {
  call: string
  /** Updated during the call. */
  record: CallRecord
  /** Resolves after the decision or its timeout. */
  decided: Promise<CallRecord>
  ended: Promise<CallRecord>
}

export function newRecord(call: string, plan: CallPlan, startedAt: number): CallRecord {
  return {
    call,
    user: plan.user ?? null,
    address: plan.address,
    to: plan.to,
    startedAt,
    decision: 'asking',
    decidedAt: null,
    code: null,
    reason: '',
    callerId: null,
    attempts: [],
    trunk: null,
    ringingAt: null,
    answeredAt: null,
    coveredSeconds: null,
    endedAt: null,
    by: null,
    seconds: 0,
  }
}

export const talkSeconds = (answeredAt: number, endedAt: number): number =>
  Math.max(1, Math.ceil((endedAt - answeredAt) / 1000))

/** A final reply of the callee: another carrier would reach the same person. */
const FINAL_CODES = new Set([404, 410, 480, 484, 486, 487, 600, 603, 604, 607, 608])

export const isFinal = (code: number, hasRung: boolean): boolean =>
  FINAL_CODES.has(code) || (code === 408 && hasRung)

const WORDS: Record<number, string> = {
  200: 'OK',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  480: 'Temporarily Unavailable',
  486: 'Busy Here',
  487: 'Request Terminated',
  500: 'Server Internal Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Server Time-out',
  603: 'Decline',
}
export const wordsOf = (code: number): string => WORDS[code] ?? ''
