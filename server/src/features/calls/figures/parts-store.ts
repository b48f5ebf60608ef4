import type { Dimension } from '@trunkline/contract/analysis'
import { type RawBuilder, sql } from 'kysely'
import { type Piece, piecesOf, type Span } from './pieces.ts'
import { FIGURES } from './statements-store.ts'

/** The figures to add up: of all keys, or of some, which can be an array in SQL. No call began after `now`. */
export type Selected = { by: Dimension; keys?: readonly string[] | RawBuilder<unknown>; now: Date }

const COUNTS: readonly string[] = ['calls', 'answered', 'reached', 'rang']
export const figureColumns: RawBuilder<unknown> = sql.raw(FIGURES.join(', '))
const subtractedColumns = sql.raw(FIGURES.map((name) => `-${name}`).join(', '))
export const figureSums: RawBuilder<unknown> = sql.raw(
  FIGURES.map(
    (name) => `coalesce(sum(${name}), 0)::${COUNTS.includes(name) ? 'integer' : 'bigint'} as ${name}`,
  ).join(', '),
)

/** Whether the figures do not include a record yet. A statement that reads both counts each call once. */
export const IS_QUEUED = `started_at >= (select min(started_at) from unsummed_calls)
  and exists (select from unsummed_calls as queued where (queued.started_at, queued.call_id) = (cdrs.started_at, cdrs.call_id))`

/** The rows of a period, with their key. Their sum is the result. The period consists of whole quarters of an hour. */
export function figureParts(span: Span, { by, keys, now }: Selected): RawBuilder<unknown> {
  const isKey = keys ? sql`key = any(${keys})` : sql`true`
  const part = ({ step, from, to, sign }: Piece) => sql`
    select key, ${sign === 1 ? figureColumns : subtractedColumns} from ${sql.table(`figure_${step}s`)}
     where dimension = ${by} and ${sql.ref(step)} >= ${from} and ${sql.ref(step)} < ${to} and ${isKey}`
  const pieces = piecesOf(span, now)
  const nothing = sql`select key, ${figureColumns} from figure_days where false`
  return pieces.length > 0 ? sql.join(pieces.map(part), sql` union all `) : nothing
}
