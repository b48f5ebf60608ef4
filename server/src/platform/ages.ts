import type { AgeCounts } from '@trunkline/contract/age-counts'
import { type AgeBand, ageBands, ageTerms } from '@trunkline/contract/ages'
import { type RawBuilder, sql } from 'kysely'
import { earlier, HOUR } from './clock.ts'

/** True for rows that have waited since `column` for the time of the band. */
export function isOfAge(column: string, band: AgeBand, now: Date): RawBuilder<boolean> {
  const { from, to } = ageTerms[band]
  const since = sql.ref(column)
  const oldEnough = from === 0 ? sql`true` : sql`${since} <= ${earlier(now, from * HOUR)}`
  const youngEnough = to === null ? sql`true` : sql`${since} > ${earlier(now, to * HOUR)}`
  return sql<boolean>`(${oldEnough} and ${youngEnough})`
}

/** A JSON object with the number of rows of each band that meet the condition. */
export const countByAge = (
  column: string,
  now: Date,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<AgeCounts> => {
  const counts = ageBands.map(
    (band) => sql`${sql.lit(band)}, count(*) filter (where ${condition} and ${isOfAge(column, band, now)})`,
  )
  return sql<AgeCounts>`jsonb_build_object(${sql.join(counts)})`
}
