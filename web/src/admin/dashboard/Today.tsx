import { useQuery } from '@tanstack/react-query'
import type { Compared } from '@trunkline/contract/dashboard'
import type { ReactNode } from 'react'
import { explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { formatDuration, formatMeasuredSeconds } from '../../common/format/durations.ts'
import { formatCost, formatMoney } from '../../common/format/money.ts'
import { formatNumber, formatPercent } from '../../common/format/numbers.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ChangeText } from '../ChangeText.tsx'
import { changeBetween } from '../change.ts'
import { useLiveCalls } from '../live/use-live-calls.ts'
import { todayQuery } from './queries.ts'

const optional = (write: (figure: number) => string) => (figure: number | null) =>
  figure === null ? '–' : write(figure)

const money = optional(formatCost)

export function Today() {
  const { data, isError, error, refetch } = useQuery(todayQuery)
  if (isError && data === undefined)
    return (
      <section aria-label="Today" className="card">
        <Failure onRetry={() => void refetch()}>
          {explain(error, 'The figures of today could not be loaded.')}
        </Failure>
      </section>
    )
  return (
    <section aria-label="Today" aria-busy={data === undefined}>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border bg-line shadow-near sm:grid-cols-4 xl:grid-cols-8">
        <Figure name="Revenue today" figure={data?.revenue} write={money} />
        <Figure name="Margin" figure={data?.margin} write={money} />
        <Figure
          name="Minutes"
          figure={data?.minutes}
          write={optional((minutes) => formatNumber(Math.round(minutes)))}
        />
        <Figure name="Answer rate" figure={data?.answer_rate} write={optional(formatPercent)} isPercentage />
        <Figure name="Average call" figure={data?.average_duration} write={optional(formatDuration)} />
        <Figure
          name="Post-dial delay"
          title="Average time until a call rings"
          figure={data?.post_dial_delay}
          write={optional(formatMeasuredSeconds)}
          isLowerBetter
        />
        <LiveCalls />
        <Figure name="Top-ups" figure={data?.top_ups} write={optional(formatMoney)} />
      </dl>
    </section>
  )
}

function LiveCalls() {
  const isKnown = useLiveCalls(({ status }) => status === 'live' || status === 'polling')
  const live = useLiveCalls(({ liveCalls }) => liveCalls)
  const ringing = useLiveCalls(({ calls }) => calls.filter(({ state }) => state !== 'answered').length)
  return (
    <Tile name="Live calls" figure={isKnown ? formatNumber(live) : '–'}>
      {isKnown && ringing > 0 && <p className="text-muted text-xs">{ringing} ringing</p>}
    </Tile>
  )
}

type FigureProps = {
  name: string
  title?: string
  figure: Compared | undefined
  write: (figure: number | null) => string
  isPercentage?: boolean
  isLowerBetter?: boolean
}

function Figure({ name, title, figure, write, isPercentage = false, isLowerBetter = false }: FigureProps) {
  return (
    <Tile name={name} title={title} figure={figure && write(figure.today)}>
      {figure &&
        (['yesterday', 'last_week'] as const).map((before) => (
          <Comparison
            key={before}
            figure={figure}
            before={before}
            isPercentage={isPercentage}
            isLowerBetter={isLowerBetter}
            then={write(figure[before])}
          />
        ))}
    </Tile>
  )
}

type TileProps = { name: string; title?: string | undefined; figure: string | undefined; children: ReactNode }

const Tile = ({ name, title, figure, children }: TileProps) => (
  <div className="min-w-0 bg-surface px-4 py-2" title={title}>
    <dt className="engraved truncate text-muted">{name}</dt>
    <dd className="min-h-14">
      <p className="figures truncate font-semibold text-lg leading-6 tracking-tight">
        {figure ?? <Skeleton className="my-1.5 h-5 w-16" />}
      </p>
      {children}
    </dd>
  </div>
)

const words = { yesterday: 'yesterday', last_week: 'last week' }

type ComparisonProps = {
  figure: Compared
  before: 'yesterday' | 'last_week'
  isPercentage: boolean
  isLowerBetter: boolean
  /** The earlier figure. */
  then: string
}

function Comparison({ figure, before, isPercentage, isLowerBetter, then }: ComparisonProps) {
  return (
    <p
      className="truncate text-muted text-xs leading-4"
      title={`${then} until this time ${before === 'yesterday' ? 'yesterday' : 'a week ago'}`}
    >
      <ChangeText
        change={changeBetween(figure.today, figure[before], isPercentage)}
        isLowerBetter={isLowerBetter}
      />{' '}
      {words[before]}
    </p>
  )
}
