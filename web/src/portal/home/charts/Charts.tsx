import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { explain } from '../../../app/api.ts'
import { ChartCard } from '../../../common/charts/ChartCard.tsx'
import { Ranking } from '../../../common/charts/Ranking.tsx'
import { hasCalls } from '../../../common/charts/words.ts'
import { formatCost, formatShortMoney } from '../../../common/format/money.ts'
import { formatNumber, formatPercent } from '../../../common/format/numbers.ts'
import { useLazyModule } from '../../../common/use-lazy-module.ts'
import { buttonClass } from '../../../ui/Button.tsx'
import { chartsQuery, usageQuery } from '../queries.ts'
import {
  costReadout,
  costTable,
  dayBars,
  monthBars,
  monthlyReadout,
  monthlyTable,
  usageReadout,
  usageTable,
  volumeReadout,
  volumeTable,
} from './chart-data.ts'
import { exampleCharts, exampleUsage } from './example.ts'

const MAX_COUNTRIES = 6

/** Loads the data and the chart code in parallel. A customer without calls sees an example. */
export function Charts() {
  const figures = useQuery(chartsQuery)
  const usage = useQuery(usageQuery)
  // Charts are drawn in small steps instead of one long task.
  const figuresData = useDeferredValue(figures.data)
  const usageData = useDeferredValue(usage.data)
  const drawings = useLazyModule('charts', () => import('./drawings.ts'))
  const draw = useDeferredValue(drawings.data)
  const isExample = figuresData !== undefined && !hasCalls(figuresData.monthly_usage)
  const data = isExample ? exampleCharts(figuresData) : figuresData
  const used = isExample && usageData ? exampleUsage(usageData) : usageData

  const sharedOf = (
    query: Pick<typeof figures | typeof usage, 'isLoadingError' | 'isError' | 'error' | 'refetch'>,
  ) => ({
    failure:
      query.isLoadingError || drawings.isLoadingError
        ? explain(query.error, 'The charts could not be loaded.')
        : null,
    isExample,
    onRetry: () => {
      if (query.isError) void query.refetch()
      if (drawings.isError) void drawings.refetch()
    },
  })
  const shared = sharedOf(figures)

  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <ChartCard
        {...shared}
        title="Call Volume (24h)"
        step={5}
        className="lg:col-span-2"
        height={190}
        legend={<VolumeLegend />}
        shown={
          data &&
          draw && {
            readout: (pointed) => volumeReadout(data.call_volume, pointed),
            table: volumeTable(data.call_volume),
            empty: hasCalls(data.call_volume) ? null : 'No calls in the last 24 hours',
            drawing: (size) => <draw.VolumeLine hours={data.call_volume} {...size} />,
          }
        }
      />
      <ChartCard
        {...shared}
        title="Trunk Usage"
        step={6}
        height={200}
        shown={
          data &&
          draw && {
            readout: (pointed) => usageReadout(data.trunk_usage, pointed),
            table: usageTable(data.trunk_usage),
            empty: hasCalls(data.trunk_usage) ? null : 'No calls in the last 30 days',
            drawing: (size) => <draw.UsageDoughnut routes={data.trunk_usage} {...size} />,
          }
        }
      />
      <ChartCard
        {...shared}
        title="Monthly Usage"
        step={7}
        height={200}
        shown={
          data &&
          draw && {
            readout: (pointed) => monthlyReadout(data.monthly_usage, pointed),
            table: monthlyTable(data.monthly_usage),
            empty: null,
            drawing: (size) => <draw.Bars bars={monthBars(data.monthly_usage)} least={4} {...size} />,
          }
        }
      />
      <ChartCard
        {...sharedOf(usage)}
        title="Cost by day (30 days)"
        step={8}
        height={200}
        shown={
          used &&
          draw && {
            readout: (pointed) => costReadout(used, pointed),
            table: costTable(used.days),
            empty: hasCalls(used.days) ? null : 'No calls in the last 30 days',
            drawing: (size) => (
              <draw.Bars bars={dayBars(used.days)} least={0.01} write={formatShortMoney} {...size} />
            ),
          }
        }
      />
      <Ranking
        {...sharedOf(usage)}
        title="Countries (30 days)"
        step={9}
        action={
          <Link to="/dashboard/cdr-report/quality" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
            Call quality
          </Link>
        }
        head={['Country', 'Calls', 'Answered', 'Minutes', 'Cost']}
        rows={used?.countries.slice(0, MAX_COUNTRIES).map((one) => ({
          key: one.country,
          name: one.country,
          weight: one.cost,
          figures: [
            formatNumber(one.calls),
            formatPercent(one.answer_rate),
            formatNumber(Math.round(one.minutes)),
            formatCost(one.cost),
          ],
        }))}
        empty={{ title: 'No calls in the last 30 days', text: 'Countries appear after the first call.' }}
      />
    </div>
  )
}

const VolumeLegend = () => (
  <p aria-hidden className="flex gap-4 text-muted text-xs">
    <span className="flex items-center gap-1.5">
      <span className="h-0.5 w-4 rounded-sm bg-signal-ink" /> calls
    </span>
    <span className="flex items-center gap-1.5">
      <span className="size-2.5 rounded-sm bg-signal-edge/30" /> completed
    </span>
  </p>
)
