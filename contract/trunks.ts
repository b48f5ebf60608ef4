import { INTERNATIONAL } from '@trunkline/domain/countries'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, Timestamp, textUpTo } from './fields.ts'
import { normalHost, normalSource } from './hosts.ts'
import {
  CATALOGUE_NAME_MAX,
  HOST_MAX,
  INCOMING_PASSWORD_MIN,
  INCOMING_SOURCES_MAX,
  PASSWORD_MAX,
} from './limits.ts'
import { messages, ownMessages } from './messages.ts'
import { GivenId, IdInPath } from './money.ts'
import { BuyRateLines, ConnectFee, GivenCountry, Increment, named, PrefixRate, Price } from './rates.ts'

/** A gateway of a carrier. */
export const Trunk = z.object({
  id: Id,
  name: z.string(),
  /** Empty for customers, because carriers are confidential. */
  provider: z.string(),
  /** Inactive if an administrator disabled it, or if no switch gets an answer from it. */
  status: z.enum(['active', 'inactive']),
  type: z.enum(['sip', 'pstn']),
  isPrimary: z.boolean(),
  capacity: z.int(),
  /** Number of current calls. */
  used: z.int(),
  /** English name. Empty if it serves every country. */
  country: z.string(),
  country_code: z.string().nullable(),
  /** True if it serves a plan of a premium route. */
  premium: z.boolean(),
  /** The following fields are for administrators only. The password is never returned. */
  host: z.string().optional(),
  port: z.int().optional(),
  transport: z.enum(['udp', 'tcp', 'tls']).optional(),
  auth_username: z.string().nullable().optional(),
  has_password: z.boolean().optional(),
  strip_digits: z.int().optional(),
  add_prefix: z.string().optional(),
  /** Dollars per minute, unless a prefix rate matches. */
  buy_rate: z.number().optional(),
  /** Fee for each answered call, and increments in seconds. */
  buy_connect_fee: z.number().optional(),
  buy_first_increment: z.int().optional(),
  buy_next_increment: z.int().optional(),
  /** Number of prefix rates. */
  rate_count: z.int().optional(),
  priority: z.int().optional(),
  plans: z.array(z.string()).optional(),
  /** The configured value. `status` can differ if the trunk is down. */
  configured_status: z.enum(['active', 'inactive']).optional(),
  /** Addresses that may send calls, as `address`, `address:port` or `[address]:port`. */
  incoming_sources: z.array(z.string()).optional(),
  /** Country of called numbers in national format. Null: international formats only. */
  incoming_country: z.string().nullable().optional(),
  /** Removed from the front of called numbers. */
  incoming_prefix: z.string().optional(),
  /** The digest username of the carrier, and whether it has a password. */
  incoming_username: z.string().optional(),
  has_incoming_password: z.boolean().optional(),
  /** The switch registers at the carrier with the username and password above. */
  registers: z.boolean().optional(),
  /** Trunk health as reported by connected switches. */
  health: z
    .array(
      z.object({
        switch: z.string(),
        is_up: z.boolean(),
        code: z.int(),
        since: Timestamp,
        checked_at: Timestamp,
      }),
    )
    .optional(),
  /** Whether connected switches are registered at the carrier. */
  registrations: z
    .array(z.object({ switch: z.string(), is_registered: z.boolean(), since: Timestamp }))
    .optional(),
  version: z.int().optional(),
})
export type Trunk = z.output<typeof Trunk>

export const TrunkTest = z.object({
  switch: z.string(),
  /** SIP code of the carrier, or 408 without an answer. */
  code: z.int(),
  ms: z.int(),
})
export type TrunkTest = z.output<typeof TrunkTest>

/** Counts attempts: a call that fails on two carriers and succeeds on a third counts three times. */
const Served = z.object({
  attempts: z.int(),
  answered: z.int(),
  /** Percentage of answered attempts, and of attempts that reached the callee, including busy and unanswered ones. */
  answer_rate: z.number().nullable(),
  reach_rate: z.number().nullable(),
  /** Seconds. */
  average_duration: z.number().nullable(),
  minutes: z.number(),
  buy_cost: z.number(),
  margin: z.number(),
})
export const TrunkFigures = z.object({ trunk_id: Id, today: Served, week: Served })
export type TrunkFigures = z.output<typeof TrunkFigures>

const whole = (min: number, max: number) => {
  const error = `Please enter a whole number from ${min} to ${max}.`
  return z.int({ error }).min(min, error).max(max, error)
}

const TrunkHost = textUpTo(HOST_MAX)
  .refine((host) => normalHost(host) !== null, ownMessages.trunkHostInvalid)
  .transform((host) => normalHost(host) ?? host)

const IncomingSource = z
  .string()
  .max(HOST_MAX, ownMessages.incomingSourceInvalid)
  .transform((typed, context) => {
    const source = normalSource(typed)
    if (source === null) context.addIssue({ code: 'custom', message: ownMessages.incomingSourceInvalid })
    return source ?? z.NEVER
  })

const given = {
  name: named(ownMessages.trunkNameMissing),
  provider: textUpTo(CATALOGUE_NAME_MAX),
  type: z.enum(['sip', 'pstn']),
  /** Null serves every country. */
  country: GivenCountry.nullable(),
  host: TrunkHost,
  port: whole(1, 65_535),
  transport: z.enum(['udp', 'tcp', 'tls']),
  auth_username: textUpTo(200).nullable(),
  /** Null removes it. If missing, it stays. */
  auth_password: z.string().min(1).max(200).nullable(),
  strip_digits: whole(0, 15),
  add_prefix: z
    .string()
    .trim()
    .regex(/^[0-9+*#]{0,20}$/, ownMessages.addPrefixInvalid),
  capacity: whole(1, 100_000),
  buy_rate: Price,
  buy_connect_fee: ConnectFee,
  buy_first_increment: Increment,
  buy_next_increment: Increment,
  status: z.enum(['active', 'inactive']),
  /** Lower values come first. */
  priority: whole(1, 10_000),
  /** Names of plans. */
  plans: z.array(named(ownMessages.planMissing)).max(100),
  /** Addresses that may send calls. Empty: the carrier sends none by address. */
  incoming_sources: z
    .array(IncomingSource)
    .max(INCOMING_SOURCES_MAX, ownMessages.tooManySources)
    .transform((sources) => [...new Set(sources)]),
  incoming_country: GivenCountry.refine(
    (code) => code !== INTERNATIONAL,
    ownMessages.countryUnknown,
  ).nullable(),
  incoming_prefix: z
    .string()
    .trim()
    .regex(/^[0-9+*#]{0,20}$/, ownMessages.addPrefixInvalid),
  /** Digest password for calls of the carrier. Null removes it. If missing, it stays. */
  incoming_password: z
    .string()
    .min(INCOMING_PASSWORD_MIN, ownMessages.incomingPasswordShort)
    .max(PASSWORD_MAX)
    .nullable(),
  /** Needs a username and a password. */
  registers: z.boolean(),
}

export const trunks = {
  'GET /api/trunks': {
    access: 'user',
    summary: 'List trunks. Customers see only public fields',
    answer: z.object({ trunks: z.array(Trunk) }),
  },
  'POST /api/trunks': {
    access: 'admin',
    summary: 'Create a trunk',
    body: z.strictObject({
      ...given,
      provider: given.provider.default(''),
      type: given.type.default('sip'),
      country: given.country.default(null),
      port: given.port.default(5060),
      transport: given.transport.default('udp'),
      auth_username: given.auth_username.default(null),
      auth_password: given.auth_password.default(null),
      strip_digits: given.strip_digits.default(0),
      add_prefix: given.add_prefix.default(''),
      capacity: given.capacity.default(30),
      buy_rate: given.buy_rate,
      buy_connect_fee: given.buy_connect_fee.default(0),
      buy_first_increment: given.buy_first_increment.default(1),
      buy_next_increment: given.buy_next_increment.default(1),
      status: given.status.default('active'),
      priority: given.priority.default(100),
      plans: given.plans.optional(),
      incoming_sources: given.incoming_sources.default([]),
      incoming_country: given.incoming_country.default(null),
      incoming_prefix: given.incoming_prefix.default(''),
      incoming_password: given.incoming_password.default(null),
      registers: given.registers.default(false),
    }),
    answer: z.object({ trunk: Trunk }),
  },
  'PATCH /api/trunks/:id': {
    access: 'admin',
    summary:
      'Update a trunk. Only the given fields change. With `version` the request fails if someone else changed the trunk',
    forbidden: messages.onlyAdminUpdatesRoutes,
    params: IdInPath,
    body: z.strictObject(given).partial().extend({ version: z.int().positive().optional() }),
    answer: z.object({ trunk: Trunk }),
    refusals: ['not_found', 'changed_meanwhile'],
  },
  'DELETE /api/trunks/:id': {
    access: 'admin',
    summary: 'Delete a trunk without live calls',
    forbidden: messages.onlyAdminDeletesRoutes,
    params: IdInPath,
    answer: Message,
    refusals: ['not_found', 'trunk_in_call', 'trunk_for_emergencies'],
  },
  'PATCH /api/trunks/:id/primary': {
    access: 'admin',
    summary: 'Make a trunk the primary trunk of its country',
    forbidden: messages.onlyAdminUpdatesRoutes,
    params: IdInPath,
    answer: z.object({ trunk: Trunk }),
    refusals: ['not_found'],
  },
  'PUT /api/trunks/order': {
    access: 'admin',
    summary: 'Set the priority order of trunks, highest first. Other trunks keep their priority',
    forbidden: messages.onlyAdminUpdatesRoutes,
    body: z.strictObject({
      trunks: z
        .array(z.strictObject({ id: GivenId, version: z.int().positive() }))
        .min(1)
        .max(1_000)
        .refine((given) => new Set(given.map(({ id }) => id)).size === given.length, ownMessages.trunkTwice),
    }),
    answer: z.object({ trunks: z.array(Trunk) }),
    refusals: ['not_found', 'changed_meanwhile'],
  },
  'GET /api/admin/trunk-figures': {
    access: 'admin',
    summary: 'Get the quality of each trunk today and in the last seven days (UTC)',
    answer: z.object({ figures: z.array(TrunkFigures) }),
  },
  'POST /api/trunks/:id/test': {
    access: 'admin',
    summary: 'Send a test OPTIONS request to the carrier from a switch',
    params: IdInPath,
    answer: z.object({ test: TrunkTest }),
    refusals: ['not_found', 'no_switch'],
  },
  'PUT /api/trunks/:id/rates': {
    access: 'admin',
    summary: 'Replace the rates of a carrier. The response names every invalid line',
    forbidden: messages.onlyAdminUpdatesRoutes,
    params: IdInPath,
    body: z.strictObject({ rates: BuyRateLines }),
    answer: z.object({ rates: z.array(PrefixRate) }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
