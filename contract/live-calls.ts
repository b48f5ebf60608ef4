import { callStatuses } from '@trunkline/domain/callcontrol'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, Timestamp, textUpTo, UserRef } from './fields.ts'
import { REASON_MAX } from './limits.ts'
import { IdInAddress } from './money.ts'
import { billing } from './rates.ts'

/** calling: admitted, not yet ringing. ringing: the callee's phone rings. answered: in progress. */
const LIVE_STATES = ['calling', 'ringing', 'answered'] as const

/** A live call for its owner. `seconds` and `cost` are valid at the time of the answer or event. */
export const LiveCallView = z.object({
  uniqueid: z.string(),
  sip_account: z.string(),
  /** The dialed number. */
  ndiscado: z.string(),
  /** Digits. Empty if the caller withheld the number. */
  caller: z.string(),
  /** `in`: a call to a rented number, which is the destination. */
  direction: z.enum(['in', 'out']),
  /** Name of the caller of an incoming call, as sent by the carrier. May be empty. */
  caller_name: z.string(),
  /** The same number in E.164, digits only. */
  destination: z.string(),
  country: z.string(),
  country_code: z.string(),
  state: z.enum(LIVE_STATES),
  started_at: Timestamp,
  answered_at: Timestamp.nullable(),
  /** Since the call was answered. 0 before. */
  seconds: z.int(),
  /** Dollars if the call ended now. */
  cost: z.number(),
  /** Dollars per minute. Screens use it to update the cost between events. */
  price: z.number(),
  ...billing,
  route: z.string(),
  is_demo: z.boolean(),
  hangup_requested: z.boolean(),
})
export type LiveCallView = z.output<typeof LiveCallView>

export const AdminLiveCallView = LiveCallView.extend({
  user: UserRef,
  trunk: z.object({ id: Id, name: z.string() }).nullable(),
  switch: z.string(),
  /** Seconds covered by the hold, and the amount of the hold in dollars. */
  covered_seconds: z.int(),
  held: z.number(),
})
export type AdminLiveCallView = z.output<typeof AdminLiveCallView>

/** An ended call. Values are null if only the end is known; the call record has them. */
export const EndedCallView = z.object({
  uniqueid: z.string(),
  status: z.enum(callStatuses).nullable(),
  /** Text for display. */
  reason: z.string().nullable(),
  seconds: z.int().nullable(),
  cost: z.number().nullable(),
})
export type EndedCallView = z.output<typeof EndedCallView>

const RunningCost = z.object({ uniqueid: z.string(), seconds: z.int(), cost: z.number() })

const named = <Name extends string, Data extends z.ZodType>(event: Name, data: Data) =>
  z.object({ event: z.literal(event), data })

/**
 * A stream starts with `snapshot`, or resumes after the last received event. Then it sends the complete call with every
 * change, and running costs every few seconds. `liveCalls` counts all calls; lists are limited to the newest.
 */
const eventsOf = <Call extends z.ZodType>(call: Call) =>
  z.discriminatedUnion('event', [
    named('snapshot', z.object({ liveCalls: z.int(), liveCallsDetails: z.array(call) })),
    named('calling', call),
    named('ringing', call),
    named('answered', call),
    /** A change of another field than the state. */
    named('updated', call),
    named('ended', EndedCallView),
    named('cost', z.object({ liveCalls: z.int(), costs: z.array(RunningCost) })),
  ])
export const LiveEvent = eventsOf(LiveCallView)
export type LiveEvent = z.output<typeof LiveEvent>
export const AdminLiveEvent = eventsOf(AdminLiveCallView)
export type AdminLiveEvent = z.output<typeof AdminLiveEvent>

/** Id of the last received event, also accepted as header Last-Event-ID. Outdated ids are ignored. */
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
      reason: textUpTo(REASON_MAX).optional(),
    }),
    answer: Message,
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
