import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BusinessFigures } from '@trunkline/contract/dashboard'
import { countryCode } from '@trunkline/domain/countries'
import type { ReactNode } from 'react'
import { explain } from '../../../app/api.ts'
import type { CdrSearch } from '../../../common/calls/report/search.ts'
import { ChartCard } from '../../../common/charts/ChartCard.tsx'
import { type Ranked, Ranking } from '../../../common/charts/Ranking.tsx'
import { hasCalls } from '../../../common/charts/words.ts'
import { formatCost } from '../../../common/format/money.ts'
import { formatNumber, formatPercent } from '../../../common/format/numbers.ts'
import { writeDay } from '../../../common/period.ts'
import { useLazyModule } from '../../../common/use-lazy-module.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { cx } from '../../../ui/cx.ts'
import { UserLink } from '../../users/UserLink.tsx'
import { businessQuery, trunksQuery } from '../queries.ts'
import { type Days, PERIODS } from '../search.ts'
import {
  daysReadout,
  daysTable,
  type FailingTrunk,
  failingTrunks,
  hoursReadout,
  hoursTable,
} from './business-data.ts'
import { Legend } from './Legend.tsx'

export function BusinessCharts({ days, onDays }: { days: Days; onDays: (days: Days) => void }) {
  const figures = useQuery(businessQuery(days))
  const trunks = useQuery(trunksQuery)
  const drawings = useLazyModule('business-charts', () => import('./drawings.ts'))
  const draw = drawings.data
  const { data } = figures
  const lately = `in the last ${days} days`

  const hasFailed = figures.isLoadingError || drawings.isLoadingError
  const shared = {
    failure: hasFailed ? explain(figures.error, 'These figures could not be loaded.') : null,
    onRetry: () => {
      if (figures.isError) void figures.refetch()
      if (drawings.isError) void drawings.refetch()
    },
  }
  const quiet = { title: `No calls ${lately}`, text: 'Figures appear after the first call.' }

  return (
    <section
      id="analytics"
      tabIndex={-1}
      aria-labelledby="analytics-title"
      aria-busy={figures.isPlaceholderData}
      className={cx(
        'mt-2 scroll-mt-20 outline-none transition-opacity',
        figures.isPlaceholderData && 'opacity-60',
      )}
    >
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 id="analytics-title" className="font-semibold text-xl tracking-tight">
          Analytics
        </h2>
        <PeriodChoice days={days} onDays={onDays} />
      </div>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <ChartCard
          {...shared}
          title="Revenue and margin by day"
          step={4}
          height={220}
          legend={
            <Legend
              entries={[
                ['bg-edge/60', 'revenue'],
                ['bg-signal-edge', 'margin'],
              ]}
            />
          }
          shown={
            data &&
            draw && {
              readout: (pointed) => daysReadout(data.days, pointed),
              table: daysTable(data.days),
              empty: hasCalls(data.days) ? null : `No calls ${lately}`,
              drawing: (size) => <draw.DayBars days={data.days} {...size} />,
            }
          }
        />
        <ChartCard
          {...shared}
          title="Calls and answer rate (24h)"
          step={5}
          height={220}
          legend={
            <Legend
              entries={[
                ['bg-edge/60', 'calls'],
                ['bg-signal-ink', 'answered'],
              ]}
            />
          }
          shown={
            data &&
            draw && {
              readout: (pointed) => hoursReadout(data.hours, pointed),
              table: hoursTable(data.hours),
              empty: hasCalls(data.hours) ? null : 'No calls in the last 24 hours',
              drawing: (size) => <draw.HourBars hours={data.hours} {...size} />,
            }
          }
        />
        <Ranking
          {...shared}
          title="Top countries"
          step={6}
          head={['Country', 'Calls', 'Answered', 'Revenue', 'Margin']}
          rows={data?.top_countries.map((one) => countryRow(one, days))}
          empty={quiet}
        />
        <Ranking
          {...shared}
          title="Top customers"
          step={7}
          head={['Customer', 'Calls', 'Minutes', 'Revenue', 'Margin']}
          rows={data?.top_customers.map(customerRow)}
          empty={quiet}
        />
        <div className="lg:col-span-2">
          <Ranking
            {...shared}
            title="Failing trunks"
            step={8}
            head={['Trunk', 'Failed', 'Attempts', 'Completed']}
            rows={data && failingTrunks(data.trunks, trunks.data ?? []).map((one) => trunkRow(one, days))}
            empty={{
              title: `No failed attempts ${lately}`,
              text: 'Attempts that a carrier rejects or does not answer are counted here.',
            }}
          />
        </div>
      </div>
    </section>
  )
}

/** Percentage of completed attempts below which a trunk is marked. */
const POOR_REACH = 80

const linked = 'underline decoration-line underline-offset-4 hover:decoration-current'

/** The calls behind a figure of the last days. */
const CallsLink = ({ days, search, children }: { days: Days; search: CdrSearch; children: ReactNode }) => (
  <Link
    to="/admin-panal/calls"
    search={{ period: 'custom', ...lastDays(days), ...search }}
    preload={false}
    className={linked}
  >
    {children}
  </Link>
)

function lastDays(days: Days): { from: string; to: string } {
  const first = new Date()
  first.setDate(first.getDate() - days + 1)
  return { from: writeDay(first), to: writeDay(new Date()) }
}

const countryRow = (one: BusinessFigures['top_countries'][number], days: Days): Ranked => ({
  key: one.country,
  name: (
    <CallsLink days={days} search={{ country: countryCode(one.country) ?? '' }}>
      {one.country}
    </CallsLink>
  ),
  weight: one.revenue,
  figures: [
    formatNumber(one.calls),
    formatPercent(one.answer_rate),
    formatCost(one.revenue),
    <Margin key="" of={one} />,
  ],
})

const customerRow = (one: BusinessFigures['top_customers'][number]): Ranked => ({
  key: one.user.id,
  name: <UserLink user={one.user} preload={false} className={linked} />,
  weight: one.revenue,
  figures: [
    formatNumber(one.calls),
    formatNumber(Math.round(one.minutes)),
    formatCost(one.revenue),
    <Margin key="" of={one} />,
  ],
})

const trunkRow = ({ id, name, failed, attempts, reachRate, isDown }: FailingTrunk, days: Days): Ranked => ({
  key: id,
  name: (
    <>
      <CallsLink days={days} search={{ trunk: id, status: 'failed' }}>
        {name}
      </CallsLink>{' '}
      {isDown && <Badge tone="danger">Down now</Badge>}
    </>
  ),
  weight: failed,
  tone: isDown || (reachRate !== null && reachRate < POOR_REACH) ? 'bad' : 'worrying',
  figures: [formatNumber(failed), formatNumber(attempts), formatPercent(reachRate)],
})

const Margin = ({ of: { margin } }: { of: { margin: number } }) => (
  <span className={margin < 0 ? 'text-danger' : undefined}>{formatCost(margin)}</span>
)

function PeriodChoice({ days, onDays }: { days: Days; onDays: (days: Days) => void }) {
  return (
    <div className="inline-flex overflow-hidden rounded-md border border-edge/60">
      {PERIODS.map((period) => (
        <button
          key={period}
          type="button"
          aria-pressed={period === days}
          onClick={() => onDays(period)}
          className="h-9 border-edge/60 border-l bg-raised px-3.5 font-medium text-muted text-sm first:border-l-0 hover:text-ink focus-visible:-outline-offset-2 aria-pressed:bg-ink aria-pressed:text-ground"
        >
          {period} days
        </button>
      ))}
    </div>
  )
}
