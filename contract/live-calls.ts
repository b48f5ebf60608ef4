import { callStatuses } from '@trunkline/domain/callcontrol'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, Timestamp } from './fields.ts'
import { REASON_MAX } from './limits.ts'
import { keepUnder } from './messages.ts'
import { IdInAddress } from './money.ts'

/** Where a live call stands: admitted and on its way, ringing at the far end, or talking. */
const LIVE_STATES = ['calling', 'ringing', 'answered'] as const

/** A live call as its owner sees it. Figures that run are as of the moment of the answer or event. */
export const LiveCallView = z.object({
  uniqueid: z.string(),
  sip_account: z.string(),
  /** The number as it was dialled. */
  ndiscado: z.string(),
  caller: z.string(),
  /** The same number in E.164, digits only. */
  destination: z.string(),
  country: z.string(),
  country_code: z.string(),
  state: z.enum(LIVE_STATES),
  started_at: Timestamp,
  answered_at: Timestamp.nullable(),
  /** Since the answer; 0 before it. */
  seconds: z.int(),
  /** Dollars so far: what it would cost if it ended now. */
  cost: z.number(),
  /** Dollars per minute, with which a screen counts on by itself between two events. */
  price: z.number(),
  connect_fee: z.number(),
  first_increment: z.int(),
  next_increment: z.int(),
  route: z.string(),
  is_demo: z.boolean(),
  hangup_requested: z.boolean(),
})
export type LiveCallView = z.output<typeof LiveCallView>

export const AdminLiveCallView = LiveCallView.extend({
  user: z.object({ id: Id, username: z.string() }),
  trunk: z.object({ id: Id, name: z.string() }).nullable(),
  switch: z.string(),
  /** Seconds after the answer that are paid for, and the dollars held for them. */
  covered_seconds: z.int(),
  held: z.number(),
})
export type AdminLiveCallView = z.output<typeof AdminLiveCallView>

/** The last word on a call. Its figures are null where only its end is known; the record has them. */
export const EndedCallView = z.object({
  uniqueid: z.string(),
  status: z.enum(callStatuses).nullable(),
  /** In words. */
  reason: z.string().nullable(),
  seconds: z.int().nullable(),
  cost: z.number().nullable(),
})
export type EndedCallView = z.output<typeof EndedCallView>

const RunningCost = z.object({ uniqueid: z.string(), seconds: z.int(), cost: z.number() })

const named = <Name extends string, Data extends z.ZodType>(event: Name, data: Data) =>
  z.object({ event: z.literal(event), data })

/**
 * A stream begins with `snapshot` (or goes on where it was cut), then tells every change with the whole call in it, and the
 * running costs every few seconds. `liveCalls` counts all; lists hold the newest of them up to a bound.
 */
const eventsOf = <Call extends z.ZodType>(call: Call) =>
  z.discriminatedUnion('event', [
    named('snapshot', z.object({ liveCalls: z.int(), liveCallsDetails: z.array(call) })),
    named('calling', call),
    named('ringing', call),
    named('answered', call),
    /** Something else about it than its state. */
    named('updated', call),
    named('ended', EndedCallView),
    named('cost', z.object({ liveCalls: z.int(), costs: z.array(RunningCost) })),
  ])
export const LiveEvent = eventsOf(LiveCallView)
export type LiveEvent = z.output<typeof LiveEvent>
export const AdminLiveEvent = eventsOf(AdminLiveCallView)
export type AdminLiveEvent = z.output<typeof AdminLiveEvent>

/** The id of the last event seen, also taken from the header Last-Event-ID. One that is not known any more is no fault. */
const resume = z.strictObject({ after: z.string().max(100).optional() })

const UniqueId = z.string().min(1).max(200)

export const liveCalls = {
  'GET /api/live-calls': {
    access: 'user',
    summary: 'Get the number of your live calls',
    answer: z.object({ liveCalls: z.int() }),
  },
  'GET /api/live-calls-details': {
    access: 'user',
    summary: 'List your live calls, newest first',
    answer: z.object({ liveCallsDetails: z.array(LiveCallView) }),
  },
  'GET /api/live-calls/stream': {
    access: 'user',
    summary: 'Stream your live calls as server-sent events',
    query: resume,
    streams: 'text/event-stream',
    answer: LiveEvent,
    refusals: ['too_many_requests', 'unavailable'],
  },
  'POST /api/live-calls/hangup': {
    access: 'user',
    summary: 'Hang up one of your live calls',
    body: z.strictObject({ uniqueid: UniqueId }),
    answer: Message,
    refusals: ['not_found'],
  },
  'GET /api/admin/live-calls': {
    access: 'admin',
    summary: 'List the live calls of all customers, newest first. The count covers all matching calls',
    query: z.strictObject({ user: IdInAddress.optional(), trunk: IdInAddress.optional() }),
    answer: z.object({ liveCalls: z.int(), liveCallsDetails: z.array(AdminLiveCallView) }),
  },
  'GET /api/admin/live-calls/stream': {
    access: 'admin',
    summary: 'Stream the live calls of all customers as server-sent events',
    query: resume,
    streams: 'text/event-stream',
    answer: AdminLiveEvent,
    refusals: ['too_many_requests', 'unavailable'],
  },
  'POST /api/admin/live-calls/hangup': {
    access: 'admin',
    summary: 'Hang up any live call. The action is written to the audit log',
    body: z.strictObject({
      uniqueid: UniqueId,
      reason: z.string().trim().max(REASON_MAX, keepUnder(REASON_MAX)).optional(),
    }),
    answer: Message,
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
