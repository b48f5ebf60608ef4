import type { CallQuality } from '@trunkline/contract/call-quality'
import { type Caller, ownDataOf } from '@trunkline/domain/access'
import { countryName } from '@trunkline/domain/countries'
import { HOUR } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { average, percent } from '../../../platform/figures.ts'
import { splitPeriod } from '../cdr/totals.ts'
import type { CallFigures } from '../figures/service.ts'
import { type QualityFigures, qualityFigures } from './statements-store.ts'
import { sumQuality } from './store.ts'

/** `from` is inclusive, `to` is exclusive. */
type Asked = { from?: string | undefined; to?: string | undefined }

export type CallQualityService = {
  /** The quality of the caller's own calls. */
  summary(caller: Caller, asked: Asked): Promise<CallQuality>
}

type Deps = { figures: CallFigures; reports: Database }

/** Reads `reports`, which can be a replica with a short delay. */
export function createCallQuality({ figures, reports }: Deps): CallQualityService {
  return {
    async summary(caller, asked) {
      await figures.addSomeQueued()
      const period = { from: momentOf(asked.from), to: momentOf(asked.to) }
      const { whole: hours, edges: records } = splitPeriod(period, HOUR)
      const countries = await sumQuality(reports, ownDataOf(caller), { hours, records })
      return {
        all: view(countries.reduce(add, NOTHING)),
        countries: countries.map(({ country, ...sums }) => ({
          country: country === '' ? null : countryName(country),
          ...view(sums),
        })),
      }
    },
  }
}

const momentOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text)

const eachFigure = (read: (name: keyof QualityFigures) => number): QualityFigures =>
  Object.fromEntries(qualityFigures.map((name) => [name, read(name)])) as QualityFigures

const NOTHING = eachFigure(() => 0)
const add = (sums: QualityFigures, more: QualityFigures): QualityFigures =>
  eachFigure((name) => sums[name] + more[name])

/** With one decimal. */
const averageOf = (tenths: number, calls: number): number | null =>
  calls === 0 ? null : Math.round(tenths / calls) / 10

const view = (sums: QualityFigures): CallQuality['all'] => ({
  calls: sums.calls,
  completed: sums.completed,
  answer_rate: percent(sums.completed, sums.calls),
  average_duration: average(sums.seconds, sums.completed),
  measured: sums.measured,
  mos: averageOf(sums.mos_tenths, sums.measured),
  poor: sums.poor,
  poor_share: percent(sums.poor, sums.measured),
  loss_percent: averageOf(sums.loss_tenths, sums.measured),
  jitter_ms: averageOf(sums.jitter_tenths, sums.measured),
})
