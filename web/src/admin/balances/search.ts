import { idIn, withoutGaps } from '../../common/address.ts'
import { readStatementSearch, type StatementSearch } from '../../common/statement/search.ts'

/** Search parameters of the screen. */
export type BalancesSearch = StatementSearch & { user?: number }

export const readSearch = (raw: Record<string, unknown>): BalancesSearch => ({
  ...readStatementSearch(raw),
  ...withoutGaps({ user: idIn(raw.user) }),
})
