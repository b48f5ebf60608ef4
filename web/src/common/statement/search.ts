import type { RequestOf } from '@trunkline/contract'
import { POSTING_KINDS } from '@trunkline/contract/posting-kinds'
import { idIn, oneOf, textIn, withoutGaps } from '../address.ts'
import { readDay, spanOfDays } from '../period.ts'

const movementKinds = [...POSTING_KINDS, 'without_calls'] as const
export type MovementKind = (typeof movementKinds)[number]

/** Search parameters of a statement. */
export type StatementSearch = Partial<{
  kind: MovementKind
  from: string
  to: string
  /** The page after this posting. */
  before: number
}>

export type Selection = Omit<StatementSearch, 'before'>

/** Ignores invalid parameters. */
export const readStatementSearch = (raw: Record<string, unknown>): StatementSearch =>
  withoutGaps({
    kind: oneOf(movementKinds, raw.kind),
    from: readDay(textIn(raw.from) ?? '') ?? undefined,
    to: readDay(textIn(raw.to) ?? '') ?? undefined,
    before: idIn(raw.before),
  })

export const selectionOf = ({ kind, from, to }: StatementSearch): Selection => withoutGaps({ kind, from, to })

export const filtersOf = ({ kind, from, to }: Selection): RequestOf<'GET /api/statement.csv'>['query'] => ({
  ...(kind && { kind }),
  ...spanOfDays({ from, to }),
})
