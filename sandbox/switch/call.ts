import type { ToSwitchOf, TrunkAttempt } from '@trunkline/contract/switch-protocol'
import { z } from 'zod'

/** What a made-up carrier does with a call that is offered to it. */
const carrier = z.strictObject({
  /** 200 answers the call; anything else ends the attempt. 408 stands for a carrier that says nothing. */
  code: z.number().int().min(200).max(699).default(200),
  /** Null: not by itself; somebody presses the lever for it. */
  afterMs: z.number().int().min(0).nullable().default(2000),
  /** Null: no phone rings. */
  ringAfterMs: z.number().int().min(0).nullable().default(500),
})
export type Carrier = z.output<typeof carrier>

/** A call to be placed, with all that caller, carriers and called side will do. */
export const callPlan = z.strictObject({
  /** Whose digest was right. Without a user the address decides who calls. */
  user: z.string().min(1).max(200).optional(),
  /** By default one of those reserved for documentation. */
  address: z.string().min(1).max(100).default('198.51.100.10'),
  to: z.string().max(100),
  /** In the order in which trunks are tried; the last does for all further ones. */
  carriers: z
    .array(carrier)
    .min(1)
    .default([carrier.parse({})]),
  /** From the answer until somebody hangs up; null: nobody does. */
  talkMs: z.number().int().min(0).nullable().default(60_000),
  hangsUp: z.enum(['caller', 'callee']).default('caller'),
  /** The caller loses patience so long after the INVITE. */
  givesUpAfterMs: z.number().int().min(0).nullable().default(null),
})
export type CallPlan = z.output<typeof callPlan>
export type CallWish = z.input<typeof callPlan>

/** What really happened to a call: the switch's own truth, against which records and bills are held. */
export interface CallRecord {
  call: string
  user: string | null
  address: string
  to: string
  startedAt: number
  /** `unanswered`: no call control said anything in time. */
  decision: 'asking' | 'allowed' | 'refused' | 'unanswered'
  decidedAt: number | null
  /** What the caller was told at last: 200 once it was answered. */
  code: number | null
  reason: string
  callerId: string | null
  attempts: TrunkAttempt[]
  trunk: number | null
  ringingAt: number | null
  answeredAt: number | null
  /** What call control has paid for, as last heard. */
  coveredSeconds: number | null
  endedAt: number | null
  by: 'caller' | 'callee' | 'timeout' | 'control' | 'carrier' | 'death' | null
  /** Of talk, each begun one counted; 0 where nobody answered. */
  seconds: number
}

export type CallState = 'asking' | 'trying' | 'ringing' | 'answered'

/** A call while it lives. */
export interface LiveCall {
  record: CallRecord
  plan: CallPlan
  state: CallState
  trunks: ToSwitchOf<'allow'>['trunks']
  /** Timers of the present state. */
  cancels: (() => void)[]
  onDecided: () => void
  onEnded: () => void
}

export interface PlacedCall {
  call: string
  /** It changes as the call goes on. */
  record: CallRecord
  /** Allowed, refused, or given up waiting. */
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

/** The called side has spoken (or rung in vain): another carrier would reach the same person. */
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
  603: 'Decline',
}
export const wordsOf = (code: number): string => WORDS[code] ?? ''
