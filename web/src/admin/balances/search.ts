import type { RequestOf } from '@trunkline/contract'
import { POSTING_KINDS } from '@trunkline/contract/posting-kinds'
import { idIn, oneOf, textIn, withoutGaps } from '../../common/address.ts'
import { readDay, spanOfDays } from '../../common/period.ts'

const movementKinds = [...POSTING_KINDS, 'without_calls'] as const
export type MovementKind = (typeof movementKinds)[number]

/** Search parameters of the screen. */
export type BalancesSearch = Partial<{
  user: number
  kind: MovementKind
  from: string
  to: string
  /** The page after this posting. */
  before: number
}>

export type Selection = Omit<BalancesSearch, 'user' | 'before'>

export const readSearch = (raw: Record<string, unknown>): BalancesSearch =>
  withoutGaps({
    user: idIn(raw.user),
    kind: oneOf(movementKinds, raw.kind),
    from: readDay(textIn(raw.from) ?? '') ?? undefined,
    to: readDay(textIn(raw.to) ?? '') ?? undefined,
    before: idIn(raw.before),
  })

export function selectionOf({ user: _user, before: _before, ...selection }: BalancesSearch): Selection {
  return selection
}

export function filtersOf({
  kind,
  from,
  to,
}: Selection): RequestOf<'GET /api/admin/users/:id/statement.csv'>['query'] {
  return { ...(kind && { kind }), ...spanOfDays({ from, to }) }
}
