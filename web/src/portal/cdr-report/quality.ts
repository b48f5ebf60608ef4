import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CallQuality } from '@trunkline/contract/call-quality'
import { countryCode } from '@trunkline/domain/countries'
import { api } from '../../app/api.ts'
import { type CdrSearch, readSearch } from '../../common/calls/report/search.ts'
import { formatMos } from '../../common/calls/report/speech-quality.ts'
import { formatDuration, formatMilliseconds } from '../../common/format/durations.ts'
import { formatNumber, formatPercent } from '../../common/format/numbers.ts'
import { NOTHING } from '../../common/format/viewer.ts'
import { type Period, spanOf } from '../../common/period.ts'

export type QualitySearch = Pick<CdrSearch, 'period' | 'from' | 'to'>
type Chosen = QualitySearch & { period: Period }

/** A day has too few calls to judge a country. */
const DEFAULT_PERIOD: Period = 'month'

/** Ignores invalid parameters. */
export function readQualitySearch(raw: Record<string, unknown>): Chosen {
  const { period = DEFAULT_PERIOD, from, to } = readSearch(raw)
  return period === 'custom' ? { period, ...(from && { from }), ...(to && { to }) } : { period }
}

export const qualityQuery = ({ period, from, to }: Chosen) =>
  queryOptions({
    queryKey: ['cdr', 'own', 'quality', period, from ?? null, to ?? null],
    queryFn: async ({ signal }) =>
      (await api('GET /api/cdr/quality', { query: spanOf(period, { from, to }, new Date()), signal }))
        .quality,
    placeholderData: keepPreviousData,
  })

export type Figures = CallQuality['all']

/** The calls behind a row. Null for calls to an unknown country, which the report cannot select. */
export function callsBehind(chosen: Chosen, country: string | null): CdrSearch | null {
  const code = country === null ? null : countryCode(country)
  return code === null ? null : { ...chosen, country: code }
}

export const showMos = ({ mos }: Figures): string => (mos === null ? 'Not measured' : formatMos(mos))

/** `3.1% (12)` */
export const showPoor = ({ poor, poor_share: share }: Figures): string =>
  share === null ? NOTHING : `${formatPercent(share)} (${formatNumber(poor)})`

export const showLoss = ({ loss_percent: loss }: Figures): string => formatPercent(loss)
export const showJitter = ({ jitter_ms: jitter }: Figures): string => formatMilliseconds(jitter)

export const totalsOf = (all: Figures | undefined): [name: string, figure: string][] => {
  const show = (write: (known: Figures) => string) => (all ? write(all) : NOTHING)
  return [
    ['Calls', show(({ calls }) => formatNumber(calls))],
    ['Answer rate', show(({ answer_rate: rate }) => formatPercent(rate))],
    ['Average duration', show(({ average_duration: seconds }) => formatDuration(seconds))],
    ['Measured calls', show(({ measured }) => formatNumber(measured))],
    ['Average MOS', show(showMos)],
    ['Poor calls', show(showPoor)],
    ['Packet loss', show(showLoss)],
    ['Jitter', show(showJitter)],
  ]
}
