import type { Readable } from 'node:stream'
import type { Analysis, AnalysisFigures, Dimension, Grain } from '@trunkline/contract/analysis'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Exports } from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import { average, dollars, inMinutes, inZone, percent } from '../../../platform/figures.ts'
import type { Span } from '../../calls/figures/pieces.ts'
import type { CallFigures } from '../../calls/figures/service.ts'
import { countQueued } from '../../calls/figures/store.ts'
import {
  type Figures,
  fileOfRows,
  listRows,
  periodsOf,
  type Sorting,
  sumByKeys,
  sumBySteps,
  sumOf,
} from './store.ts'

type Question = { timezone: string; from: string; to: string; by: Dimension } & Sorting

export type AnalysisService = {
  read(
    caller: Caller,
    question: Question & { grain: Grain; key?: string | undefined; limit: number },
  ): Promise<Analysis>
  csv(caller: Caller, question: Question): Promise<Readable>
}

type Deps = { db: Database; clock: Clock; figures: CallFigures; exports: Exports; reports?: Database }

/** A larger number is not worth counting. */
const MAX_UNCOUNTED = 100_000

/** Reads from `reports`, which can be a replica with a short delay. */
export function createAnalysis({ db, clock, figures, exports, reports = db }: Deps): AnalysisService {
  const periods = (question: Question, now: Date) => inZone(periodsOf(reports, { ...question, now }))

  return {
    async read(caller, { grain, key, limit, ...question }) {
      const scope = everyonesData(caller)
      const { by, timezone } = question
      await figures.addSomeQueued()
      const now = clock.now()
      const { asked, before, beforeDays, isPartial } = await periods(question, now)
      const whole = key === undefined ? { by: 'all' as const, key: '' } : { by, key }
      const sumIn = (span: Span) => sumOf(reports, scope, span, { by: whole.by, keys: [whole.key], now })
      const [totals, totalsBefore, steps, { rows, count }, uncounted] = await Promise.all([
        sumIn(asked),
        sumIn(before),
        sumBySteps(reports, scope, asked, { ...whole, grain, timezone, now }),
        listRows(reports, scope, asked, { ...question, limit, now }),
        countQueued(reports, scope, MAX_UNCOUNTED),
      ])
      const keys = rows.map((row) => row.key)
      const rowsBefore = await sumByKeys(reports, scope, before, { by, keys, now })
      return {
        totals: viewOf(totals),
        before: viewOf(totalsBefore),
        period_before: { ...beforeDays, is_partial: isPartial },
        series: steps.map((step) => ({ at: step.at, figures: viewOf(step) })),
        rows: rows.map((row) => {
          const earlier = rowsBefore.get(row.key)
          return {
            key: row.key,
            name: row.name,
            figures: viewOf(row),
            before: earlier ? viewOf(earlier) : null,
          }
        }),
        row_count: count,
        uncounted,
      }
    },

    async csv(caller, question) {
      const scope = everyonesData(caller)
      await figures.addSomeQueued()
      const now = clock.now()
      const { asked } = await periods(question, now)
      return await exports.begin(caller.userId, fileOfRows(reports, scope, asked, { ...question, now }))
    },
  }
}

const viewOf = (sum: Figures): AnalysisFigures => ({
  calls: sum.calls,
  answered: sum.answered,
  minutes: inMinutes(sum.seconds),
  answer_rate: percent(sum.answered, sum.calls),
  reach_rate: percent(sum.reached, sum.calls),
  average_duration: average(sum.seconds, sum.answered),
  post_dial_delay: average(sum.ringDelayMs / 1_000, sum.rang),
  revenue: dollars(sum.costMicros),
  cost: dollars(sum.buyMicros),
  margin: dollars(sum.costMicros - sum.buyMicros),
})
