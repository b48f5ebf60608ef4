import { useQuery } from '@tanstack/react-query'
import { explain } from '../../../app/api.ts'
import { ChartCard } from '../../../common/charts/ChartCard.tsx'
import { hasCalls } from '../../../common/charts/words.ts'
import { useLazyModule } from '../../../common/use-lazy-module.ts'
import { chartsQuery } from '../queries.ts'
import {
  monthlyReadout,
  monthlyTable,
  usageReadout,
  usageTable,
  volumeReadout,
  volumeTable,
} from './chart-data.ts'

/** Loads the data and the chart code in parallel. */
export function Charts() {
  const figures = useQuery(chartsQuery)
  const drawings = useLazyModule('charts', () => import('./drawings.ts'))
  const draw = drawings.data
  const { data } = figures

  const hasFailed = figures.isLoadingError || drawings.isLoadingError
  const shared = {
    failure: hasFailed ? explain(figures.error, 'The charts could not be loaded.') : null,
    onRetry: () => {
      if (figures.isError) void figures.refetch()
      if (drawings.isError) void drawings.refetch()
    },
  }

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
            empty: hasCalls(data.monthly_usage) ? null : 'No calls in the last 12 months',
            drawing: (size) => <draw.MonthlyBars months={data.monthly_usage} {...size} />,
          }
        }
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
