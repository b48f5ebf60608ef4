import { callStatuses, endReasons, refusalReasons } from '@trunkline/domain/callcontrol'
import { verdicts } from '@trunkline/domain/media-quality'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp, UserRef } from './fields.ts'
import {
  CALL_RECORDS_DEFAULT,
  CDR_PAGE_DEFAULT,
  CDR_PAGE_MAX,
  DEVICE_MAX,
  SEARCH_MAX,
  SIP_CODE_MAX,
  SIP_CODE_MIN,
} from './limits.ts'
import { IdInAddress, pageSize } from './money.ts'
import { billing } from './rates.ts'

export const CallStatus = z.enum(callStatuses)
/** `in`: a call to a rented number. */
export const CallDirection = z.enum(['in', 'out'])

/** IANA names only. Browsers and PostgreSQL interpret other notations differently. */
export const TimeZone = z
  .string()
  .max(60)
  .regex(/^[A-Za-z]/, 'must be the name of a time zone, such as Europe/London')
  .refine(isTimeZone, 'must be the name of a time zone, such as Europe/London')

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Opaque to clients. Identifies a record, and as `cursor` the position after it. */
export const CdrId = z.string().regex(/^[0-9a-z]{1,11}\.[A-Za-z0-9_-]{1,1100}$/)

const wholeNumber = z.coerce.number<number>().int().min(0).max(2_147_483_647)
const dollarAmount = z.coerce.number<number>().min(0).max(1_000_000)
export const Moment = z.iso.datetime({ offset: true })
const marginAmount = z.coerce.number<number>().min(-1_000_000).max(1_000_000)

/** `from` is inclusive, `to` is exclusive. */
const filters = {
  /** Part of the caller or destination, case-insensitive. */
  search: z.string().trim().max(SEARCH_MAX).optional(),
  from: Moment.optional(),
  to: Moment.optional(),
  status: CallStatus.optional(),
  /** English name or ISO code. */
  country: z.string().trim().max(100).optional(),
  /** Seconds. */
  min_duration: wholeNumber.optional(),
  max_duration: wholeNumber.optional(),
  /** Dollars. */
  min_cost: dollarAmount.optional(),
  max_cost: dollarAmount.optional(),
  direction: CallDirection.optional(),
  /** `true`: incoming calls that nobody answered. */
  missed: z.literal('true').optional(),
  /** By the MOS of the side that heard worse. Calls without a measured MOS match none. */
  quality: z.enum(verdicts).optional(),
}
const adminFilters = {
  ...filters,
  user: IdInAddress.optional(),
  /** A carrier that was tried, successfully or not. */
  trunk: IdInAddress.optional(),
  /** Calls that the carrier answered, or did not: also calls that another carrier completed. Without `trunk`, of any carrier. */
  carrier_result: z.enum(['answered', 'failed']).optional(),
  /** Calls that lack this value, such as calls to an unknown country. */
  without: z.enum(['country', 'prefix', 'route', 'customer', 'caller', 'code']).optional(),
  /** The route that set the price. */
  route: IdInAddress.optional(),
  /** The prefix of the rate that set the price. */
  rate_prefix: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  /** Final SIP response. */
  sip_code: z.coerce.number<number>().int().min(SIP_CODE_MIN).max(SIP_CODE_MAX).optional(),
  /** Why the call ended or was refused. */
  reason: z.enum([...refusalReasons, ...endReasons]).optional(),
  /** Caller ID, whole or its first digits. */
  caller_id: z
    .string()
    .trim()
    .max(40)
    .regex(/^[+\d\s()./-]*\d[\d\s()./-]*$/)
    .optional(),
  /** IP address of the phone or PBX. */
  source_address: z.string().trim().min(1).max(64).optional(),
  /** First letters of the name of the phone or PBX. Case-insensitive. */
  device: z.string().trim().min(1).max(DEVICE_MAX).optional(),
  /** Price minus carrier cost in dollars. `min_margin` is inclusive, `margin_below` is exclusive. */
  min_margin: marginAmount.optional(),
  margin_below: marginAmount.optional(),
}
const timezone = TimeZone.default('UTC')
const pages = {
  timezone,
  limit: pageSize(CDR_PAGE_MAX, CDR_PAGE_DEFAULT),
  cursor: CdrId.optional(),
}

export const CdrFilter = z.strictObject(adminFilters)
export type CdrFilter = z.output<typeof CdrFilter>

export const CdrRecord = z.object({
  id: z.string(),
  /** The same id as in the live call. */
  uniqueid: z.string(),
  /** YYYY-MM-DD and HH:MM:SS in the requested time zone. */
  date: z.string(),
  time: z.string(),
  caller: z.string(),
  destination: z.string(),
  country: z.string().nullable(),
  /** Talk time in whole seconds. */
  duration: z.int(),
  /** Dollars. */
  cost: z.number(),
  status: CallStatus,
  direction: CallDirection,
  /** Name of the caller of an incoming call, as sent by the carrier. May be empty. */
  caller_name: z.string(),
  /** Which rule of the number sent an incoming call where, or where a forwarded call comes from. May be empty. */
  explanation: z.string(),
  started_at: Timestamp,
  /** Why the call ended, as text. */
  reason: z.string(),
  /** Name of the route that set the price. */
  route: z.string().nullable(),
  is_demo: z.boolean(),
  /** The calling SIP account, and its caller ID. */
  sipiax: z.string(),
  src: z.string(),
  /** Carrier cost in dollars. Administrators only. */
  buycost: z.number().nullable(),
  /** Talk time in seconds, and the billed amount in dollars. */
  real_sessiontime: z.int(),
  agent_bill: z.number(),
})
export type CdrRecord = z.output<typeof CdrRecord>

/** The customer. Null if unknown. */
const user = UserRef.nullable()

/** The carrier, by its name and id at the time of the call. Null if no carrier was tried. */
const carrier = { trunk: z.string().nullable(), trunk_id: Id.nullable() }

export const AdminCdrRecord = CdrRecord.extend({
  user,
  ...carrier,
  sip_code: z.int().nullable(),
  device: z.string(),
})
export type AdminCdrRecord = z.output<typeof AdminCdrRecord>

/** What a side sent, and what it heard by its own RTCP reports. Null figures were not measured. */
const SideQuality = z.object({
  codec: z.string().nullable(),
  packets_sent: z.int(),
  reports: z.int(),
  /** Mean opinion score, 1 to 5. */
  mos: z.number().nullable(),
  lowest_mos: z.number().nullable(),
  loss_percent: z.number().nullable(),
  lost_packets: z.int().nullable(),
  jitter_ms: z.number().nullable(),
  highest_jitter_ms: z.number().nullable(),
  round_trip_ms: z.number().nullable(),
})
export type SideQuality = z.output<typeof SideQuality>

/** A call record with price breakdown and path. */
export const CdrDetails = CdrRecord.extend({
  /** Country of the caller of an incoming call. Null if unknown. */
  caller_country: z.string().nullable(),
  dialed: z.string(),
  line_type: z.string().nullable(),
  source_address: z.string(),
  /** Name that the phone or PBX sent. Empty if it sent none. */
  device: z.string(),
  ringing_at: Timestamp.nullable(),
  answered_at: Timestamp.nullable(),
  ended_at: Timestamp,
  sip_code: z.int().nullable(),
  hung_up_by: z.string().nullable(),
  plan: z.string().nullable(),
  rate: z
    .object({
      /** Dollars. */
      price_per_minute: z.number(),
      ...billing,
      /** Prefix of the applied prefix rate. Null for the route's own rate. */
      prefix: z.string().nullable(),
    })
    .nullable(),
  billed_seconds: z.int(),
  /** Speech quality of both sides. Null if the call had no speech or was not measured. */
  media: z.object({ phone: SideQuality, carrier: SideQuality.nullable() }).nullable(),
  /** Price breakdown, one sentence per step. */
  price_steps: z.array(z.string()),
  /** Events in order. */
  path: z.array(z.object({ at: Timestamp.nullable(), what: z.string(), is_failure: z.boolean() })),
  /** The other leg of a forwarded call, of the same customer: its `uniqueid` and the `id` of its record. Null without one. */
  linked: z.string().nullable(),
  linked_id: z.string().nullable(),
  /** Each carrier that was tried, in order. For an incoming call, each target that rang. */
  attempts: z.array(
    z.object({
      trunk: z.string(),
      code: z.int(),
      reason: z.string(),
      /** Start, and milliseconds until the final reply or the timeout. Null in records of earlier releases. */
      at: Timestamp.nullable(),
      took_ms: z.int().nullable(),
    }),
  ),
})
export type CdrDetails = z.output<typeof CdrDetails>

export const AdminCdrDetails = CdrDetails.extend({
  user,
  ...carrier,
  /** The route that set the price, which may be deleted meanwhile. Null without one, such as for incoming calls. */
  route_id: Id.nullable(),
  switch: z.string(),
})
export type AdminCdrDetails = z.output<typeof AdminCdrDetails>

export const CdrTotals = z.object({
  calls: z.int(),
  completed: z.int(),
  /** Talk time in minutes. */
  minutes: z.number(),
  /** Dollars. */
  cost: z.number(),
  /** Percentage of completed calls. Null without calls. */
  answer_rate: z.number().nullable(),
  /** Seconds per completed call. Null without completed calls. */
  average_duration: z.number().nullable(),
  /** True if the totals cover only the newest matches. */
  is_capped: z.boolean(),
})
export type CdrTotals = z.output<typeof CdrTotals>

const records = z.object({
  records: z.array(CdrRecord),
  /** Cursor of the next page. Null on the last page. */
  next: z.string().nullable(),
})
const line = z.string().meta({ description: 'A CSV line. The first line has the column names.' })
const path = z.strictObject({ id: CdrId })

export const cdr = {
  'GET /api/cdr': {
    access: 'user',
    summary: 'List your call records, newest first',
    query: z.strictObject({ ...filters, ...pages }),
    answer: records,
  },
  'GET /api/cdr/totals': {
    access: 'user',
    summary: 'Get totals of your call records',
    query: z.strictObject(filters),
    answer: z.object({ totals: CdrTotals }),
  },
  'GET /api/cdr.csv': {
    access: 'user',
    summary: 'Export all your call records as CSV, newest first',
    query: z.strictObject({ ...filters, timezone }),
    streams: 'text/csv',
    answer: line,
  },
  'GET /api/cdr/:id': {
    access: 'user',
    summary: 'Get one of your call records with its price breakdown and route',
    params: path,
    query: z.strictObject({ timezone }),
    answer: z.object({ record: CdrDetails }),
    refusals: ['not_found'],
  },
  'GET /api/calls/records': {
    access: 'user',
    summary: 'List your latest calls',
    query: z.strictObject({
      limit: pageSize(CDR_PAGE_MAX, CALL_RECORDS_DEFAULT),
    }),
    answer: z.object({
      records: z.array(
        z.object({
          id: z.string(),
          from: z.string(),
          to: z.string(),
          duration: z.int(),
          date: Timestamp,
          status: CallStatus,
          cost: z.number(),
          /** Name of the route. */
          trunk: z.string().nullable(),
        }),
      ),
    }),
  },
  'GET /api/admin/cdr': {
    access: 'admin',
    summary: 'List the call records of all customers, newest first',
    query: z.strictObject({ ...adminFilters, ...pages }),
    answer: records.extend({ records: z.array(AdminCdrRecord) }),
  },
  'GET /api/admin/cdr/totals': {
    access: 'admin',
    summary: 'Get totals of the call records of all customers',
    query: CdrFilter,
    answer: z.object({ totals: CdrTotals }),
  },
  'GET /api/admin/cdr.csv': {
    access: 'admin',
    summary: 'Export the call records of all customers as CSV',
    query: z.strictObject({ ...adminFilters, timezone }),
    streams: 'text/csv',
    answer: line,
  },
  'GET /api/admin/cdr/:id': {
    access: 'admin',
    summary: 'Get a call record with its price breakdown and route',
    params: path,
    query: z.strictObject({ timezone }),
    answer: z.object({ record: AdminCdrDetails }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
