import { IS_POOR } from '../cdr/filter-store.ts'

/** The sums of quality_hours (db/0058_call_quality.sql), computed from records. */

export const qualityFigures = [
  ...['calls', 'completed', 'seconds', 'measured', 'poor'],
  ...['mos_tenths', 'loss_tenths', 'jitter_tenths'],
] as const as readonly (keyof QualityFigures)[]

export type QualityFigures = {
  calls: number
  completed: number
  seconds: number
  measured: number
  poor: number
  mos_tenths: number
  loss_tenths: number
  jitter_tenths: number
}

const ofMeasured = (figure: string): string =>
  `coalesce(sum(worst_of(media, '${figure}') * 10) filter (where worst_mos(media) is not null), 0)::bigint`

/** Aggregates over records. */
export const QUALITY_SUMS = `
  count(*)::integer as calls, count(*) filter (where status = 'completed')::integer as completed,
  sum(seconds)::bigint as seconds, count(worst_mos(media))::integer as measured,
  count(*) filter (where ${IS_POOR})::integer as poor,
  coalesce(sum(worst_mos(media) * 10), 0)::bigint as mos_tenths,
  ${ofMeasured('lossPercent')} as loss_tenths, ${ofMeasured('jitterMs')} as jitter_tenths`
