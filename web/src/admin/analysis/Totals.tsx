import type { Analysis } from '@trunkline/contract/analysis'
import { formatDay } from '../../common/format/dates.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ChangeText } from '../ChangeText.tsx'
import { changeBetween } from '../change.ts'
import { figureLooks, figureNames } from './figures.ts'
import type { AnalysisSearch } from './search.ts'

type TotalsProps = {
  search: AnalysisSearch
  analysis: Analysis | undefined
  onGo: (next: AnalysisSearch) => void
}

/** The totals with their change. Each one can be shown in the chart. */
export function Totals({ search, analysis, onGo }: TotalsProps) {
  return (
    <fieldset
      aria-label="Totals and their change"
      aria-busy={analysis === undefined}
      title={analysis && `Compared with ${wordsOf(analysis.period_before)}`}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border bg-line shadow-near sm:grid-cols-5"
    >
      {figureNames.map((name) => {
        const { label, meaning, write, unit, isLowerBetter = false } = figureLooks[name]
        return (
          <button
            key={name}
            type="button"
            title={meaning}
            aria-pressed={name === (search.figure ?? 'revenue')}
            onClick={() => onGo({ ...search, figure: name })}
            className="min-w-0 border-transparent border-b-2 bg-surface flex flex-col justify-center px-3 py-1 text-left hover:bg-raised focus-visible:-outline-offset-2 aria-pressed:border-signal-ink"
          >
            <span className="engraved block text-muted">{label}</span>
            {analysis ? (
              <span className="flex flex-wrap items-baseline gap-x-1.5 sm:flex-col">
                <span className="figures font-semibold tracking-tight">{write(analysis.totals[name])}</span>
                <span className="text-muted text-xs">
                  <ChangeText
                    change={changeBetween(analysis.totals[name], analysis.before[name], unit === 'percent')}
                    isLowerBetter={isLowerBetter}
                  />
                </span>
              </span>
            ) : (
              <Skeleton className="my-1 h-4 w-16" />
            )}
          </button>
        )
      })}
    </fieldset>
  )
}

/** `Nov 2 to Nov 8, until this time of day` */
export function wordsOf({ from, to, is_partial }: Analysis['period_before']): string {
  const days = from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`
  return is_partial ? `${days}, until this time of day` : days
}
