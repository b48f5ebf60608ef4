import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { RequestOf } from '@trunkline/contract'
import { ANALYSIS_ROWS_DEFAULT } from '@trunkline/contract/limits'
import { api } from '../../app/api.ts'
import { viewersZone } from '../../common/format/viewer.ts'
import { writeDay } from '../../common/period.ts'
import { type AnalysisSearch, type Days, grainOf } from './search.ts'

type Query = NonNullable<RequestOf<'GET /api/admin/analysis'>['query']>

/** While the period includes today. */
const REFRESH_MS = 10_000

/** The parameters that the table and its export share. */
export const questionOf = ({ by, sort, order }: AnalysisSearch, days: Days) => ({
  ...days,
  timezone: viewersZone(),
  ...(by && { by }),
  ...(sort && { sort }),
  ...(order && { order }),
})

export function analysisQuery(search: AnalysisSearch, days: Days) {
  const query: Query = {
    ...questionOf(search, days),
    grain: grainOf(search, days),
    limit: search.rows ?? ANALYSIS_ROWS_DEFAULT,
    ...(search.key !== undefined && { key: search.key }),
  }
  return queryOptions({
    queryKey: ['admin', 'analysis', query],
    queryFn: async ({ signal }) => (await api('GET /api/admin/analysis', { query, signal })).analysis,
    placeholderData: keepPreviousData,
    refetchInterval: days.to >= writeDay(new Date()) ? REFRESH_MS : false,
  })
}
