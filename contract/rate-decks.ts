import { changeKinds, deckFaultReasons } from '@trunkline/domain/decks'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, Timestamp, UserRef } from './fields.ts'
import { DECK_BYTES_MAX, RATES_PAGE_DEFAULT, RATES_PAGE_MAX } from './limits.ts'
import { messages, ownMessages } from './messages.ts'
import { IdInPath, pageSize } from './money.ts'
import { PrefixRate, Rate } from './rates.ts'

/** Price lists as CSV files: buy rates of a trunk and selling rates of a route. */

export const RateChange = z.object({
  kind: z.enum(changeKinds),
  prefix: z.string(),
  /** Line in the file. Null if the file does not contain the prefix. */
  line: z.int().nullable(),
  before: Rate.nullable(),
  after: Rate.nullable(),
})
export type RateChange = z.output<typeof RateChange>

/** A route that would be sold below the cost of a trunk for some prefixes. */
export const Loss = z.object({
  route: z.object({ id: Id, name: z.string(), country: z.string() }),
  trunk: z.object({ id: Id, name: z.string() }),
  /** Number of affected prefixes. `is_more` if the count stopped at a limit. */
  prefixes: z.int(),
  is_more: z.boolean(),
  /** Some examples, largest loss first. */
  examples: z.array(z.object({ prefix: z.string(), buy: z.number(), sell: z.number() })),
})
export type Loss = z.output<typeof Loss>

/** Changes by kind. */
export const DeckCounts = z.object({
  new: z.int(),
  dearer: z.int(),
  cheaper: z.int(),
  changed: z.int(),
  removed: z.int(),
  unchanged: z.int(),
})
export type DeckCounts = z.output<typeof DeckCounts>

export const DeckCheck = z.object({
  /** Send it to apply exactly these changes. */
  token: z.string(),
  counts: DeckCounts,
  /** The first changes of each kind: price changes by size, others by prefix. */
  changes: z.array(RateChange),
  /** The first invalid lines. The count covers all. */
  faults: z.array(
    z.object({
      line: z.int(),
      reason: z.enum(deckFaultReasons),
      value: z.string(),
      prefix: z.string().nullable(),
    }),
  ),
  fault_count: z.int(),
  /** Skipped lines for other countries than the route's. */
  elsewhere: z.int(),
  /** Names of the read and the ignored columns. */
  columns: z.object({ read: z.array(z.string()), ignored: z.array(z.string()) }),
  losses: z.array(Loss),
  /** Latest day in a column such as `Effective Date`, if it is in the future (YYYY-MM-DD). */
  future_day: z.string().nullable(),
})
export type DeckCheck = z.output<typeof DeckCheck>

const DeckText = z
  .string({ error: ownMessages.deckMissing })
  .min(1, ownMessages.deckMissing)
  // PostgreSQL cannot store NUL in a text column.
  .refine((text) => !text.includes('\u0000'), ownMessages.deckNoText)
/** Prefixes that are missing in the file are removed with `replace` and kept with `merge`. */
const Mode = z.enum(['replace', 'merge'])

/** The rates change at this time. Without it they change now. The offset tells the day where the operator is. */
const EffectiveAt = z.iso.datetime({ error: ownMessages.effectiveAtInvalid, offset: true }).optional()

const checked = z.strictObject({
  deck: DeckText,
  mode: Mode,
  effective_at: EffectiveAt,
  /** Lists only changes of prefixes that start with this text. The counts cover all. */
  search: z
    .string()
    .regex(/^[0-9]{0,15}$/, ownMessages.prefixInvalid)
    .default(''),
})
const applied = z.strictObject({
  deck: DeckText,
  mode: Mode,
  effective_at: EffectiveAt,
  token: z.string().min(1).max(200),
  /** Skips invalid lines and keeps the rates of their prefixes. Otherwise a file with invalid lines is refused. */
  without_bad_lines: z.boolean().default(false),
})
const DeckApplied = z.object({
  counts: DeckCounts,
  rate_count: z.int(),
  /** Null if the rates have changed already. */
  effective_at: Timestamp.nullable(),
})

/** An imported deck in the history of a price list. */
export const ListedDeck = z.object({
  id: Id,
  state: z.enum(['planned', 'applied', 'canceled']),
  mode: Mode,
  effective_at: Timestamp,
  line_count: z.int(),
  /** Compared with the rates at the time of planning, or as applied. */
  counts: DeckCounts,
  created_by: UserRef,
  created_at: Timestamp,
  applied_at: Timestamp.nullable(),
  canceled_at: Timestamp.nullable(),
})
export type ListedDeck = z.output<typeof ListedDeck>
const Decks = z.object({ decks: z.array(ListedDeck) })

const page = z.strictObject({
  /** Rates whose prefix starts with this text, or is the start of it. */
  search: z
    .string()
    .trim()
    .regex(/^[0-9]{0,15}$/, ownMessages.prefixInvalid)
    .default(''),
  /** `next` of the previous page. */
  after: z
    .string()
    .regex(/^[0-9]{1,15}$/)
    .optional(),
  limit: pageSize(RATES_PAGE_MAX, RATES_PAGE_DEFAULT),
})
const RatesPage = z.object({ rates: z.array(PrefixRate), total: z.int(), next: z.string().nullable() })

const refusals = ['not_found', 'changed_meanwhile', 'deck_unreadable', 'deck_has_faults'] as const
const admin = { access: 'admin', params: IdInPath } as const
const writes = { forbidden: messages.onlyAdminUpdatesRoutes, maxBodyBytes: DECK_BYTES_MAX, refusals } as const

export const rateDecks = {
  'GET /api/trunks/:id/rates': {
    ...admin,
    summary: 'List the rates of a carrier by prefix',
    query: page,
    answer: RatesPage,
    refusals: ['not_found'],
  },
  'GET /api/trunks/:id/rates.csv': {
    ...admin,
    summary: 'Export the rates of a carrier as CSV. The file can be imported again',
    streams: 'text/csv',
    answer: z.string(),
    refusals: ['not_found'],
  },
  'POST /api/trunks/:id/rate-deck/check': {
    ...admin,
    ...writes,
    summary:
      'Check a carrier’s rate deck without applying it. The response lists all changes and every invalid line',
    body: checked,
    answer: z.object({ check: DeckCheck }),
  },
  'POST /api/trunks/:id/rate-deck': {
    ...admin,
    ...writes,
    summary: 'Apply a checked rate deck in one transaction, now or at a later time',
    body: applied,
    answer: DeckApplied,
  },
  'GET /api/routes/:id/rates': {
    ...admin,
    summary: 'List the rates of a route by prefix',
    query: page,
    answer: RatesPage,
    refusals: ['not_found'],
  },
  'GET /api/routes/:id/rates.csv': {
    ...admin,
    summary: 'Export the rates of a route as CSV. The file can be imported again',
    streams: 'text/csv',
    answer: z.string(),
    refusals: ['not_found'],
  },
  'POST /api/routes/:id/rate-deck/check': {
    ...admin,
    ...writes,
    summary:
      'Check a route’s rate deck without applying it. The response lists all changes and every invalid line',
    body: checked,
    answer: z.object({ check: DeckCheck }),
  },
  'POST /api/routes/:id/rate-deck': {
    ...admin,
    ...writes,
    summary: 'Apply a checked rate deck to a route in one transaction, now or at a later time',
    body: applied,
    answer: DeckApplied,
  },
  'GET /api/trunks/:id/rate-decks': {
    ...admin,
    summary: 'List planned decks of a carrier in order of time, then the latest applied and canceled ones',
    answer: Decks,
    refusals: ['not_found'],
  },
  'GET /api/routes/:id/rate-decks': {
    ...admin,
    summary: 'List planned decks of a route in order of time, then the latest applied and canceled ones',
    answer: Decks,
    refusals: ['not_found'],
  },
  'DELETE /api/admin/rate-decks/:id': {
    ...admin,
    summary: 'Cancel a planned rate deck',
    forbidden: messages.onlyAdminUpdatesRoutes,
    answer: Message,
    refusals: ['not_found', 'deck_not_planned'],
  },
} as const satisfies Endpoints
