import { z } from 'zod'
import { CallDirection, TimeZone } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp } from './fields.ts'
import { Next, page } from './money.ts'
import { POSTING_KINDS } from './posting-kinds.ts'
import { postingKind } from './postings.ts'

/** One change of a customer's balance. */
export const StatementLine = z.object({
  id: Id,
  at: Timestamp,
  kind: postingKind,
  /** Positive for credits, negative for debits. 0 if the balance did not change, as for an upgrade. */
  amount: z.number(),
  /** Balance after this line. */
  balance: z.number(),
  /** Order, promo code, call, or number with its period. */
  reference: z.string(),
  /** Record of the call that was charged. Null for other kinds, and for archived records. */
  call: z
    .object({ id: z.string(), direction: CallDirection, caller: z.string(), destination: z.string() })
    .nullable(),
})
export type StatementLine = z.output<typeof StatementLine>

/** `from` is inclusive, `to` is exclusive. */
export const movements = {
  kind: z.enum([...POSTING_KINDS, 'without_calls']).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
}
export const movementsInFile = { ...movements, timezone: TimeZone.default('UTC') }

export const statementPage = <Line extends z.ZodType>(line: Line) => ({
  balance: z.number(),
  held: z.number(),
  available: z.number(),
  lines: z.array(line),
  next: Next,
})

export const CsvLine = z.string().meta({ description: 'A CSV line. The first line has the column names.' })

export const statements = {
  'GET /api/statement': {
    access: 'user',
    summary: 'Get your balance and its postings, newest first',
    query: z.strictObject({ ...page, ...movements }),
    answer: z.object(statementPage(StatementLine)),
  },
  'GET /api/statement.csv': {
    access: 'user',
    summary: 'Export all postings of your balance as CSV, newest first',
    query: z.strictObject(movementsInFile),
    streams: 'text/csv',
    answer: CsvLine,
  },
} as const satisfies Endpoints
