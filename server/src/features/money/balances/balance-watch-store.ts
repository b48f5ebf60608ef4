import type { AllUsers } from '@trunkline/domain/access'
import { type Micros, micros } from '@trunkline/domain/money'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { BalanceMove } from '../ledger/store.ts'

type Crossing = { userId: number; isLow: boolean; balanceMicros: Micros; thresholdMicros: Micros }

/** A named statement, because it runs for every batch of ended calls. The caller locks the account rows. */
export async function findCrossings(
  db: Database,
  _scope: AllUsers,
  moves: readonly BalanceMove[],
): Promise<Crossing[]> {
  const users = moves.map(({ userId }) => userId)
  const amounts = moves.map(({ amountMicros }) => amountMicros)
  type Row = { user_id: number; balance_micros: bigint; low_balance_micros: bigint }
  const { rows } = await sql<Row>`/* low_balance_crossings */
    select a.user_id, a.balance_micros, s.low_balance_micros
      from (select user_id, sum(amount_micros)::bigint as moved_micros
              from unnest((select ${users}::integer[]), (select ${amounts}::bigint[])) as moved (user_id, amount_micros)
             group by user_id) as m
     cross join alert_settings as s
     cross join lateral (select user_id, balance_micros from accounts where accounts.user_id = m.user_id) as a
     where (a.balance_micros < s.low_balance_micros)
        <> (a.balance_micros - m.moved_micros < s.low_balance_micros)`.execute(db)
  return rows.map((row) => ({
    userId: row.user_id,
    isLow: row.balance_micros < row.low_balance_micros,
    balanceMicros: micros(row.balance_micros),
    thresholdMicros: micros(row.low_balance_micros),
  }))
}
