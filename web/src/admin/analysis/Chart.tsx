import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Analysis } from '@trunkline/contract/analysis'
import { X } from 'lucide-react'
import { explain } from '../../app/api.ts'
import { ChartCard } from '../../common/charts/ChartCard.tsx'
import { useLazyModule } from '../../common/use-lazy-module.ts'
import { Button } from '../../ui/Button.tsx'
import { figureLooks } from './figures.ts'
import { type AnalysisSearch, callsBehind, callsOfStep, type Days, grainOf, nameOf } from './search.ts'
import { stepLabel } from './steps.ts'

type ChartProps = {
  search: AnalysisSearch
  days: Days
  query: UseQueryResult<Analysis>
  onGo: (next: AnalysisSearch) => void
}

const HEIGHT = 84

/** One figure over time, of all calls or of one row. */
export function Chart({ search, days, query, onGo }: ChartProps) {
  const drawings = useLazyModule('analysis-chart', () => import('./StepBars.tsx'))
  const { figure = 'revenue', by = 'country', key, ...others } = search
  const { label, write, unit } = figureLooks[figure]
  const grain = grainOf(search, days)
  const navigate = useNavigate()
  const calls = callsBehind(figure, days, { by, key })
  const open = (at: number) => {
    const step = query.data?.series[at]
    if (step) void navigate({ to: '/admin-panal/calls', search: callsOfStep(calls, step.at, grain, days) })
  }
  const { data } = query
  const draw = drawings.data
  const row = data?.rows.find((one) => one.key === key)
  const of = key === undefined ? '' : `, ${nameOf(by, row ?? { key, name: null })}`
  return (
    <ChartCard
      title={`${label} ${grainWords[grain]}${of}`}
      step={1}
      height={HEIGHT}
      isCompact
      legend={
        <>
          <Link
            to="/admin-panal/calls"
            search={calls}
            preload={false}
            className="underline decoration-line underline-offset-4 hover:decoration-current"
          >
            Show calls
          </Link>
          {key !== undefined && (
            <Button size="sm" variant="ghost" onClick={() => onGo({ ...others, figure, by })}>
              <X aria-hidden />
              All calls
            </Button>
          )}
        </>
      }
      onOpen={open}
      failure={
        query.isLoadingError || drawings.isLoadingError
          ? explain(query.error, 'The chart could not be loaded.')
          : null
      }
      onRetry={() => {
        if (query.isError) void query.refetch()
        if (drawings.isError) void drawings.refetch()
      }}
      shown={
        data &&
        draw && {
          readout: (pointed) => {
            const step = pointed === null ? undefined : data.series[pointed]
            return step
              ? `${stepLabel(step.at, grain, true)}: ${write(step.figures[figure])}`
              : `${sumWords[unit]}: ${write(data.totals[figure])}`
          },
          table: {
            head: ['Period', label],
            rows: data.series.map(({ at, figures }) => [stepLabel(at, grain, true), write(figures[figure])]),
          },
          empty: data.totals.calls > 0 ? null : 'No calls in this period',
          drawing: (size) => (
            <draw.StepBars
              steps={data.series.map(({ at, figures }) => ({ at, value: figures[figure] }))}
              unit={unit}
              grain={grain}
              onOpen={open}
              {...size}
            />
          ),
        }
      }
    />
  )
}

const sumWords = { count: 'Total', dollars: 'Total', percent: 'Overall', seconds: 'Average' }
const grainWords = { hour: 'by hour', day: 'by day', week: 'by week', month: 'by month' }
