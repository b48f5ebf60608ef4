import type { Owner } from '@trunkline/domain/access'
import { type RawBuilder, sql } from 'kysely'
import { type Database, readOneMoment } from '../../platform/database.ts'
import { type CheckResult, MOST_FAULTS_SHOWN } from '../ledger/check-store.ts'
import { FIGURES, SUMS, TRIED, TRUNK_FIGURES, TRUNK_SUMS } from './statements.ts'

/** Sums that are kept of records, and the same worked out anew from the records alone. */
type Kept = { table: string; keys: readonly string[]; figures: readonly string[]; anew: string }

const HOUR = `date_trunc('hour', started_at, 'UTC')`
const DAY = `date_trunc('day', started_at, 'UTC')`
const PLACE = `coalesce(country, '') as country, coalesce(route_id, 0) as route_id`

const kept: readonly Kept[] = [
  {
    table: 'account_hours',
    keys: ['user_id', 'hour'],
    figures: FIGURES,
    anew: `select user_id, ${HOUR} as hour, ${SUMS} from cdrs where user_id is not null group by 1, 2`,
  },
  {
    table: 'account_days',
    keys: ['user_id', 'day', 'country', 'route_id'],
    figures: FIGURES,
    anew: `select user_id, ${DAY} as day, ${PLACE}, ${SUMS} from cdrs where user_id is not null group by 1, 2, 3, 4`,
  },
  {
    table: 'platform_hours',
    keys: ['hour'],
    figures: FIGURES,
    anew: `select ${HOUR} as hour, ${SUMS} from cdrs group by 1`,
  },
  {
    table: 'platform_days',
    keys: ['day', 'country', 'route_id'],
    figures: FIGURES,
    anew: `select ${DAY} as day, ${PLACE}, ${SUMS} from cdrs group by 1, 2, 3`,
  },
  {
    table: 'trunk_days',
    keys: ['day', 'trunk_id'],
    figures: TRUNK_FIGURES,
    anew: `select ${DAY} as day, trunk_id, ${TRUNK_SUMS} from (${TRIED.replaceAll('written', 'cdrs')}) as tried group by 1, 2`,
  },
]

/** Proves that every sum is the sum of its records, on one and the same moment; reads all there is. */
export const checkSums = (db: Database, _owner: Owner): Promise<CheckResult[]> =>
  readOneMoment(db, async (snapshot) => {
    const results: CheckResult[] = []
    for (const one of kept) results.push(await checkOne(snapshot, one))
    return results
  })

async function checkOne(snapshot: Database, { table, keys, figures, anew }: Kept): Promise<CheckResult> {
  const names = (list: readonly string[]) => sql.join(list.map((name) => sql.ref(name)))
  const row = (from: string, list: readonly string[]): RawBuilder<unknown> =>
    sql.join(list.map((name) => sql`coalesce(${sql.ref(`${from}.${name}`)}, 0)::bigint`))
  const words = sql.join(
    keys.map((name) => sql`coalesce(told.${sql.ref(name)}::text, anew.${sql.ref(name)}::text)`),
    sql` || ' ' || `,
  )
  const { rows } = await sql<{ fault: string; faults: bigint }>`
    with told as (
      select ${names(keys)}, ${sql.join(figures.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
        from ${sql.table(table)} group by ${names(keys)}),
    anew as (${sql.raw(anew)})
    select ${table} || ' ' || ${words} || ' says ' || (${row('told', figures)})::text
           || ', its records say ' || (${row('anew', figures)})::text as fault,
           count(*) over () as faults
      from told full join anew using (${names(keys)})
     where (${row('told', figures)}) <> (${row('anew', figures)})
     limit ${MOST_FAULTS_SHOWN}`.execute(snapshot)
  const counted = await sql<{ count: bigint }>`select count(*) from ${sql.table(table)}`.execute(snapshot)
  return {
    name: `every sum in ${table} is the sum of its call records`,
    checkedCount: Number(counted.rows[0]?.count ?? 0n),
    faultCount: Number(rows[0]?.faults ?? 0n),
    faults: rows.map(({ fault }) => fault),
  }
}
