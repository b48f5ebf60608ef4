import type { Owner } from '@trunkline/domain/access'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { type CdrFilter, matchesFilter } from '../cdr/filter-store.ts'
import { QUALITY_SUMS, type QualityFigures, qualityFigures } from './statements-store.ts'

const columns = sql.raw(qualityFigures.join(', '))
const sums = sql.raw(qualityFigures.map((name) => `sum(${name})::double precision as ${name}`).join(', '))

type TimePeriod = Pick<CdrFilter, 'from' | 'to'>

/** Calls by country, most calls first: of complete hours from their sums, of other periods from the records. */
export async function sumQuality(
  db: Database,
  owner: Owner,
  { hours, records }: { hours: readonly TimePeriod[]; records: readonly TimePeriod[] },
): Promise<(QualityFigures & { country: string })[]> {
  const parts = [
    ...hours.map((period) => fromHours(owner, period)),
    ...records.map((period) => fromRecords(owner, period)),
  ]
  const { rows } = await sql<QualityFigures & { country: string }>`
    select country, ${sums} from (${sql.join(parts, sql` union all `)}) as parts
     group by country order by calls desc, country`.execute(db)
  return rows
}

function fromHours(owner: Owner, { from, to }: TimePeriod): RawBuilder<unknown> {
  const conditions = [owner.userId === null ? sql`true` : sql`user_id = ${owner.userId}`]
  if (from) conditions.push(sql`hour >= ${from}`)
  if (to) conditions.push(sql`hour < ${to}`)
  return sql`select country, ${columns} from quality_hours where ${sql.join(conditions, sql` and `)}`
}

const fromRecords = (owner: Owner, period: TimePeriod): RawBuilder<unknown> => sql`
  select coalesce(country, '') as country, ${sql.raw(QUALITY_SUMS)} from cdrs where ${matchesFilter(owner, period)} group by 1`
