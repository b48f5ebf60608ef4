import { numberStatuses, numberTypes, rentalStates } from '@trunkline/domain/ringing'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, Timestamp, textUpTo, UserRef } from './fields.ts'
import {
  NUMBER_CALLS_MAX,
  NUMBER_LABEL_MAX,
  NUMBER_NOTE_MAX,
  NUMBER_TAGS_MAX,
  NUMBERS_CSV_BYTES_MAX,
  NUMBERS_PAGE_DEFAULT,
  NUMBERS_PAGE_MAX,
  RENT_MAX_DOLLARS,
} from './limits.ts'
import { keepUnder, ownMessages } from './messages.ts'
import { GivenId, IdInAddress, IdInPath, pageSize, RequestKey } from './money.ts'
import { dollarsUpTo, GivenCountry, Price } from './rates.ts'
import { GivenRingPlan, RingPlanView } from './ring-plans.ts'

/** Telephone numbers: the inventory of the provider, and the numbers that customers rent. */

const Rent = dollarsUpTo(RENT_MAX_DOLLARS, ownMessages.rentInvalid)

/** Prices in dollars: a month, once at the start, and an incoming minute. */
const prices = { monthly: z.number(), setup: z.number(), price: z.number() }
const place = {
  /** E.164 digits with a plus sign. */
  number: z.string(),
  country: z.string(),
  country_code: z.string(),
  area: z.string(),
  type: z.enum(numberTypes),
}

export const AvailableNumber = z.object({ id: Id, ...place, ...prices })
export type AvailableNumber = z.output<typeof AvailableNumber>

/** A number that the customer rents. `id` is the id of the rental. */
export const RentedNumber = z.object({
  id: Id,
  ...place,
  ...prices,
  state: z.enum(rentalStates),
  started_at: Timestamp,
  /** End of the paid period. The next one is booked then, unless `cancels` is true. */
  paid_until: Timestamp,
  cancels: z.boolean(),
  /** In grace and suspended: when the number is suspended, and when it is released. */
  suspends_at: Timestamp.nullable(),
  releases_at: Timestamp.nullable(),
  ring_plan: RingPlanView,
  /** Its calls are recorded, if the operator allows it. */
  records: z.boolean(),
  version: z.int(),
})
export type RentedNumber = z.output<typeof RentedNumber>

/** A number of the inventory, for administrators. */
export const AdminNumber = z.object({
  id: Id,
  ...place,
  ...prices,
  /** Dollars at the carrier: a month, and an incoming minute. */
  cost_monthly: z.number(),
  cost: z.number(),
  max_calls: z.int(),
  tags: z.array(z.string()),
  note: z.string(),
  status: z.enum(numberStatuses),
  trunk: z.object({ id: Id, name: z.string() }).nullable(),
  user: UserRef.nullable(),
  rental: z
    .object({
      id: Id,
      state: z.enum(rentalStates),
      started_at: Timestamp,
      paid_until: Timestamp,
      cancels: z.boolean(),
    })
    .nullable(),
  /** The last 30 days: answered calls, minutes, and revenue minus cost of calls and rent in dollars. */
  usage: z.object({ calls: z.int(), missed: z.int(), minutes: z.number(), margin: z.number() }),
  version: z.int(),
})
export type AdminNumber = z.output<typeof AdminNumber>

const Tag = z.string().trim().min(1).max(40, keepUnder(40))
const fields = {
  area: textUpTo(NUMBER_LABEL_MAX),
  type: z.enum(numberTypes),
  trunk_id: GivenId.nullable(),
  monthly: Rent,
  setup: Rent,
  price: Price,
  cost_monthly: Rent,
  cost: Price,
  max_calls: z.int().min(1).max(NUMBER_CALLS_MAX),
  tags: z.array(Tag).max(NUMBER_TAGS_MAX),
  note: textUpTo(NUMBER_NOTE_MAX),
}

/** One line of an import. `problem` is null if the line can be imported. */
const ImportLine = z.object({
  line: z.int(),
  number: z.string(),
  country_code: z.string().nullable(),
  /** `new`, `update` of an existing number, or `invalid`. */
  action: z.enum(['new', 'update', 'same', 'invalid']),
  problem: z.string().nullable(),
})
const ImportPreview = z.object({
  counts: z.object({ new: z.int(), update: z.int(), same: z.int(), invalid: z.int() }),
  /** The first lines, invalid ones first. */
  lines: z.array(ImportLine),
})
export type ImportPreview = z.output<typeof ImportPreview>
const csv = z.string().min(1).max(NUMBERS_CSV_BYTES_MAX)

const NumberSettings = z.object({
  /** Dollars per minute of a call between two customers. */
  internal_price: z.number(),
  /** Days before a renewal that the balance does not cover: the customer is mailed. */
  warn_days: z.int(),
  /** Days after a failed renewal until the number is suspended, and from then until it is released. */
  grace_days: z.int(),
  suspended_days: z.int(),
})
export type NumberSettings = z.output<typeof NumberSettings>
const days = z.int().min(0).max(90)

export const numbers = {
  'GET /api/numbers': {
    access: 'user',
    summary: 'List the numbers that you rent',
    answer: z.object({ numbers: z.array(RentedNumber) }),
  },
  'GET /api/numbers/available': {
    access: 'user',
    summary: 'Search numbers that you can rent',
    query: z.strictObject({
      country: z.string().trim().max(100).optional(),
      type: z.enum(numberTypes).optional(),
      /** Part of the area name. */
      area: z.string().trim().max(NUMBER_LABEL_MAX).optional(),
      /** Digits that the number contains. */
      digits: z
        .string()
        .trim()
        .regex(/^[0-9 +]{0,16}$/)
        .optional(),
      after: IdInAddress.optional(),
      limit: pageSize(NUMBERS_PAGE_MAX, NUMBERS_PAGE_DEFAULT),
    }),
    answer: z.object({
      numbers: z.array(AvailableNumber),
      next: z.int().nullable(),
      /** Countries with numbers, for the filter. */
      countries: z.array(z.object({ code: z.string(), name: z.string(), count: z.int() })),
    }),
  },
  'POST /api/numbers': {
    access: 'user',
    summary: 'Rent a number. The set-up fee and the first month are paid from the balance',
    body: z.strictObject({
      id: GivenId,
      /** The prices that the customer saw. */
      monthly: Rent,
      setup: Rent,
      price: Price,
      request_key: RequestKey,
      time_zone: z.string().max(60).optional(),
    }),
    answer: z.object({ number: RentedNumber }),
    refusals: [
      'not_found',
      'number_taken',
      'number_price_changed',
      'insufficient_balance',
      'too_many_numbers',
    ],
  },
  'PATCH /api/numbers/:id': {
    access: 'user',
    summary: 'Change where a number rings',
    params: IdInPath,
    body: z.strictObject({ ring_plan: GivenRingPlan, version: z.int().positive() }),
    answer: z.object({ number: RentedNumber }),
    refusals: ['not_found', 'changed_meanwhile'],
  },
  'POST /api/numbers/:id/cancel': {
    access: 'user',
    summary: 'Cancel a number at the end of its paid period, or keep it after all',
    params: IdInPath,
    body: z.strictObject({ cancels: z.boolean() }),
    answer: z.object({ number: RentedNumber }),
    refusals: ['not_found'],
  },
  'GET /api/admin/numbers': {
    access: 'admin',
    summary: 'List the numbers of the inventory',
    query: z.strictObject({
      /** Digits of the number, or part of the area, a tag or the customer’s name. */
      search: z.string().trim().max(100).optional(),
      status: z.enum(numberStatuses).optional(),
      country: z.string().trim().max(100).optional(),
      type: z.enum(numberTypes).optional(),
      trunk: IdInAddress.optional(),
      user: IdInAddress.optional(),
      tag: z.string().trim().max(40).optional(),
      after: IdInAddress.optional(),
      limit: pageSize(NUMBERS_PAGE_MAX, NUMBERS_PAGE_DEFAULT),
    }),
    answer: z.object({
      numbers: z.array(AdminNumber),
      next: z.int().nullable(),
      counts: z.object({
        all: z.int(),
        available: z.int(),
        reserved: z.int(),
        blocked: z.int(),
        rented: z.int(),
      }),
    }),
  },
  'POST /api/admin/numbers': {
    access: 'admin',
    summary: 'Add a number to the inventory',
    body: z.strictObject({
      number: z.string().trim().max(40),
      /** For a number in national format. */
      country: GivenCountry.nullable().default(null),
      ...fields,
      area: fields.area.default(''),
      type: fields.type.default('local'),
      trunk_id: fields.trunk_id.default(null),
      setup: fields.setup.default(0),
      price: fields.price.default(0),
      cost_monthly: fields.cost_monthly.default(0),
      cost: fields.cost.default(0),
      max_calls: fields.max_calls.default(10),
      tags: fields.tags.default([]),
      note: fields.note.default(''),
    }),
    answer: z.object({ number: AdminNumber }),
    refusals: ['number_exists'],
  },
  'PATCH /api/admin/numbers/:id': {
    access: 'admin',
    summary: 'Update a number. Prices of a running rental do not change',
    params: IdInPath,
    body: z
      .strictObject({
        ...fields,
        status: z.enum(['available', 'reserved', 'blocked']),
        user_id: GivenId.nullable(),
      })
      .partial()
      .extend({ version: z.int().positive() }),
    answer: z.object({ number: AdminNumber }),
    refusals: ['not_found', 'changed_meanwhile', 'number_rented'],
  },
  'DELETE /api/admin/numbers/:id': {
    access: 'admin',
    summary: 'Delete a number that nobody rents',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found', 'number_rented'],
  },
  'POST /api/admin/numbers/:id/assign': {
    access: 'admin',
    summary: 'Rent a number to a customer, with or without charging the set-up fee and the first month',
    params: IdInPath,
    body: z.strictObject({ user_id: GivenId, charge: z.boolean().default(true), request_key: RequestKey }),
    answer: z.object({ number: AdminNumber }),
    refusals: ['not_found', 'number_taken', 'insufficient_balance'],
  },
  'POST /api/admin/numbers/:id/release': {
    access: 'admin',
    summary: 'End the rental of a number at once. Nothing is refunded',
    params: IdInPath,
    body: z.strictObject({ reason: z.string().trim().max(200).default('') }),
    answer: z.object({ number: AdminNumber }),
    refusals: ['not_found'],
  },
  'POST /api/admin/numbers/import/preview': {
    access: 'admin',
    summary: 'Check a CSV file of numbers without importing it',
    maxBodyBytes: NUMBERS_CSV_BYTES_MAX * 2,
    body: z.strictObject({ csv }),
    answer: z.object({ preview: ImportPreview }),
  },
  'POST /api/admin/numbers/import': {
    access: 'admin',
    summary: 'Import the valid lines of a CSV file of numbers, all or none',
    maxBodyBytes: NUMBERS_CSV_BYTES_MAX * 2,
    body: z.strictObject({ csv, request_key: RequestKey }),
    answer: z.object({ imported: z.int(), updated: z.int(), skipped: z.int() }),
  },
  'GET /api/admin/numbers/import': {
    access: 'admin',
    summary: 'Show how far a running import is. Nothing is visible in the inventory before it is complete',
    query: z.strictObject({ request_key: RequestKey }),
    answer: z.object({ progress: z.object({ done: z.int(), total: z.int() }).nullable() }),
  },
  'GET /api/admin/number-settings': {
    access: 'admin',
    summary: 'Get the settings for numbers and calls between customers',
    answer: z.object({ settings: NumberSettings }),
  },
  'PUT /api/admin/number-settings': {
    access: 'admin',
    summary: 'Change the settings for numbers and calls between customers',
    body: z.strictObject({ internal_price: Price, warn_days: days, grace_days: days, suspended_days: days }),
    answer: z.object({ settings: NumberSettings }),
  },
} as const satisfies Endpoints
