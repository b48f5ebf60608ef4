import { stepKinds } from '@trunkline/domain/flows'
import { z } from 'zod'
import { CallStatus, CdrId } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp } from './fields.ts'

/** A call that the flow made, with its own record. */
const Leg = z.object({
  /** Of its record. */
  id: z.string(),
  destination: z.string(),
  status: CallStatus,
  /** Talk time in whole seconds. */
  duration: z.int(),
  /** Dollars. */
  cost: z.number(),
})

const StepTaken = z.object({
  /** 1 is the first step. A call can pass a step several times. */
  position: z.int(),
  step_id: z.string(),
  name: z.string(),
  /** Null if the flow was deleted. */
  kind: z.enum(stepKinds).nullable(),
  entered_at: Timestamp,
  /** Since the flow started. */
  seconds: z.number(),
  /** Null if the process that ran the flow was lost in this step. */
  took_seconds: z.number().nullable(),
  /** Keys that the caller pressed. */
  keys: z.string(),
  /** Name of the exit. Null: the call ended in this step. */
  exit: z.string().nullable(),
  /** Results, one sentence each. */
  events: z.array(z.string()),
  legs: z.array(Leg),
})

/** The way of a call through a flow. */
export const CallFlow = z.object({
  /** The published version that the call used. Null if the flow was deleted. */
  flow: z.object({ id: Id, name: z.string(), version: z.int() }).nullable(),
  steps: z.array(StepTaken),
  /** Why it ended, as a sentence. Null if the process that ran the flow was lost. */
  end: z.string().nullable(),
})
export type CallFlow = z.output<typeof CallFlow>

const params = z.strictObject({ id: CdrId })
/** Null: the call did not go through a flow. */
const answer = z.object({ flow: CallFlow.nullable() })

export const callFlows = {
  'GET /api/cdr/:id/flow': {
    access: 'user',
    summary: 'Get the way of one of your calls through a flow: steps, keys, exits and legs',
    params,
    answer,
    refusals: ['not_found'],
  },
  'GET /api/admin/cdr/:id/flow': {
    access: 'admin',
    summary: 'Get the way of a call through a flow: steps, keys, exits and legs',
    params,
    answer,
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
