import type { AllUsers } from '@trunkline/domain/access'
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Database, readSnapshot } from '../../../platform/database.ts'
import { QUALITY_SUMS, qualityFigures } from '../call-quality/statements-store.ts'
import { FIGURES, SUMS, TRIED, TRUNK_FIGURES, TRUNK_SUMS } from '../cdr/insert-store.ts'
import { FIGURES as ANALYSIS_FIGURES, daysOf, quartersOf } from '../figures/statements-store.ts'
import { type CheckResult, MAX_FAULTS_SHOWN } from './ledger-checks-store.ts'

/** Stored sums, and the same sums recomputed from the records. */
type Kept = { table: string; keys: readonly string[]; figures: readonly string[]; recomputed: string }

/** The period of a table. */
const periodOf = ({ keys }: Kept): string =>
  keys.find((key) => key === 'quarter' || key === 'hour' || key === 'day') ?? ''

const HOUR = `date_trunc('hour', started_at, 'UTC')`
const DAY = `date_trunc('day', started_at, 'UTC')`
const PLACE = `coalesce(country, '') as country, coalesce(route_id, 0) as route_id`

/** Figures of the analysis do not include queued records. */
const COUNTED = `(select * from cdrs where not exists (
  select from unsummed_calls as queued where (queued.started_at, queued.call_id) = (cdrs.started_at, cdrs.call_id))) as counted`

const kept: readonly Kept[] = [
  {
    table: 'account_hours',
    keys: ['user_id', 'hour'],
    figures: FIGURES,
    recomputed: `select user_id, ${HOUR} as hour, ${SUMS} from cdrs where user_id is not null group by 1, 2`,
  },
  {
    table: 'account_days',
    keys: ['user_id', 'day', 'country', 'route_id'],
    figures: FIGURES,
    recomputed: `select user_id, ${DAY} as day, ${PLACE}, ${SUMS} from cdrs where user_id is not null group by 1, 2, 3, 4`,
  },
  {
    table: 'platform_hours',
    keys: ['hour'],
    figures: FIGURES,
    recomputed: `select ${HOUR} as hour, ${SUMS} from cdrs group by 1`,
  },
  {
    table: 'platform_days',
    keys: ['day', 'country', 'route_id'],
    figures: FIGURES,
    recomputed: `select ${DAY} as day, ${PLACE}, ${SUMS} from cdrs group by 1, 2, 3`,
  },
  {
    table: 'trunk_days',
    keys: ['day', 'trunk_id'],
    figures: TRUNK_FIGURES,
    recomputed: `select ${DAY} as day, trunk_id, ${TRUNK_SUMS} from (${TRIED.replaceAll('written', 'cdrs')}) as tried group by 1, 2`,
  },
  {
    table: 'figure_quarters',
    keys: ['dimension', 'quarter', 'key'],
    figures: ANALYSIS_FIGURES,
    recomputed: quartersOf(COUNTED),
  },
  {
    table: 'figure_days',
    keys: ['dimension', 'day', 'key'],
    figures: ANALYSIS_FIGURES,
    recomputed: daysOf(COUNTED),
  },
  {
    table: 'quality_hours',
    keys: ['user_id', 'hour', 'country'],
    figures: qualityFigures,
    recomputed: `select user_id, ${HOUR} as hour, coalesce(country, '') as country, ${QUALITY_SUMS}
                   from ${COUNTED} where user_id is not null group by 1, 2, 3`,
  },
]

/** Checks on one snapshot that every sum equals its records; reads all rows. */
export const checkSums = (db: Database, _scope: AllUsers): Promise<CheckResult[]> =>
  readSnapshot(db, async (snapshot) => {
    const results: CheckResult[] = []
    for (const one of kept) results.push(await checkOne(snapshot, one))
    for (const one of summed) results.push(await checkSummed(snapshot, one))
    return [...results, await checkArchived(snapshot)]
  })

/** Periods whose records are in the database; fingerprints cover archived months. */
const isHere = (moment: string): string =>
  `not exists (select from archives where source = 'cdrs' and ${moment} >= archives.begins and ${moment} < archives.ends)`

type Month = { begins: Date; ends: Date }
function fingerprintOf(one: Kept): string {
  const { table, keys, figures, recomputed } = one
  const period = periodOf(one)
  const names = keys.join(', ')
  const plain = keys.map((key) => (key === period ? `extract(epoch from ${key})::bigint` : key)).join(', ')
  const rest = figures.map(
    (name) => `coalesce(saved.${name}, 0) - coalesce(recomputed.${name}, 0) as ${name}`,
  )
  return `
    with cdrs as (select * from public.cdrs where started_at >= $1 and started_at < $2),
    saved as (select ${names}, ${figures.map((name) => `sum(${name}) as ${name}`).join(', ')}
               from ${table} where ${period} >= $1 and ${period} < $2 group by ${names}),
    recomputed as (${recomputed}),
    rest as (select ${names}, ${rest.join(', ')} from saved full join recomputed using (${names}))
    select coalesce(sum(('x' || left(md5(concat_ws(' ', ${plain}, ${figures.join(', ')})), 15))::bit(60)::bigint), 0)::text as fingerprint
      from rest where ${figures.map((name) => `${name} <> 0`).join(' or ')}`
}

/**
 * Statements that return a fingerprint of a month's sums minus the records in the database; 0 if there is no difference. $1 and $2 are
 * the start and end of the month. The fingerprint does not depend on the shards.
 */
export const fingerprintStatements = Object.fromEntries(kept.map((one) => [one.table, fingerprintOf(one)]))

/** Months that were archived by an older release have no sums in newer tables. */
const NOTHING = '0'

/** Archived records cannot be summed again, so their part of the sums is compared with its fingerprint at archive time. */
async function checkArchived(snapshot: Database): Promise<CheckResult> {
  const { rows: months } = await sql<Month & { sums: Record<string, string> }>`
    select distinct on (begins) begins, ends, sums from archives where source = 'cdrs'
     order by begins, archived_at desc`.execute(snapshot)
  const faults: string[] = []
  for (const { begins, ends, sums } of months)
    for (const [table, statement] of Object.entries(fingerprintStatements)) {
      const { rows } = await snapshot.executeQuery(CompiledQuery.raw(statement, [begins, ends]))
      if ((rows[0] as { fingerprint: string }).fingerprint !== (sums[table] ?? NOTHING))
        faults.push(
          `${table} of ${begins.toISOString().slice(0, 7)} is not what it was when its records were archived`,
        )
    }
  return {
    name: 'every sum of an archived month is as it was',
    checkedCount: months.length * kept.length,
    faultCount: faults.length,
    faults: faults.slice(0, MAX_FAULTS_SHOWN),
  }
}

async function checkOne(snapshot: Database, one: Kept): Promise<CheckResult> {
  const { table, keys, figures, recomputed } = one
  const names = (list: readonly string[]) => sql.join(list.map((name) => sql.ref(name)))
  const row = (from: string, list: readonly string[]): RawBuilder<unknown> =>
    sql.join(list.map((name) => sql`coalesce(${sql.ref(`${from}.${name}`)}, 0)::bigint`))
  const words = sql.join(
    keys.map((name) => sql`coalesce(saved.${sql.ref(name)}::text, recomputed.${sql.ref(name)}::text)`),
    sql` || ' ' || `,
  )
  const { rows } = await sql<{ fault: string; faults: bigint }>`
    with cdrs as (select * from public.cdrs where ${sql.raw(isHere('started_at'))}),
    saved as (
      select ${names(keys)}, ${sql.join(figures.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
        from ${sql.table(table)} where ${sql.raw(isHere(periodOf(one)))} group by ${names(keys)}),
    recomputed as (${sql.raw(recomputed)})
    select ${table} || ' ' || ${words} || ' says ' || (${row('saved', figures)})::text
           || ', its records say ' || (${row('recomputed', figures)})::text as fault,
           count(*) over () as faults
      from saved full join recomputed using (${names(keys)})
     where (${row('saved', figures)}) <> (${row('recomputed', figures)})
     limit ${MAX_FAULTS_SHOWN}`.execute(snapshot)
  const counted = await sql<{ count: bigint }>`select count(*) from ${sql.table(table)}`.execute(snapshot)
  return {
    name: `every sum in ${table} is the sum of its call records`,
    checkedCount: Number(counted.rows[0]?.count ?? 0n),
    faultCount: Number(rows[0]?.faults ?? 0n),
    faults: rows.map(({ fault }) => fault),
  }
}

/** Figures of longer steps, and the shorter steps that they are the sums of. */
type Summed = { table: string; period: string; periodOf: string; from: string; called: string }
const summed: readonly Summed[] = [
  {
    table: 'figure_blocks',
    period: 'block',
    periodOf: `date_bin('6 hours', quarter, 'epoch')`,
    from: 'figure_quarters',
    called: 'quarters of an hour',
  },
  {
    table: 'figure_weeks',
    period: 'week',
    periodOf: `date_trunc('week', day, 'UTC')`,
    from: 'figure_days',
    called: 'days',
  },
]

/** Also of archived months. */
async function checkSummed(
  snapshot: Database,
  { table, period, periodOf, from, called }: Summed,
): Promise<CheckResult> {
  const sums = ANALYSIS_FIGURES.map((name) => `sum(${name})::bigint as ${name}`).join(', ')
  const row = (name: string) => ANALYSIS_FIGURES.map((figure) => `coalesce(${name}.${figure}, 0)`).join(', ')
  const { rows } = await sql<{ fault: string; faults: bigint }>`
    select ${table} || ' ' || concat_ws(' ', dimension, ${sql.ref(period)}, key) || ' is not the sum of its ' || ${called} as fault,
           count(*) over () as faults
      from ${sql.table(table)} as saved
      full join (select dimension, ${sql.raw(periodOf)} as ${sql.ref(period)}, key, ${sql.raw(sums)}
                   from ${sql.table(from)} group by 1, 2, 3) as summed using (dimension, ${sql.ref(period)}, key)
     where (${sql.raw(row('saved'))}) <> (${sql.raw(row('summed'))})
     limit ${MAX_FAULTS_SHOWN}`.execute(snapshot)
  const counted = await sql<{ count: bigint }>`select count(*) from ${sql.table(table)}`.execute(snapshot)
  return {
    name: `every sum in ${table} is the sum of its ${called}`,
    checkedCount: Number(counted.rows[0]?.count ?? 0n),
    faultCount: Number(rows[0]?.faults ?? 0n),
    faults: rows.map(({ fault }) => fault),
  }
}
