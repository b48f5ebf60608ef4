import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { formatMoney } from '../common/format/money.ts'
import { formatNumber } from '../common/format/numbers.ts'
import { successfulPaymentsQuery, totalPaymentsQuery, userStatsQuery } from './queries.ts'

/** `card` on the first tab, `line` above the lists of the others. */
type Look = 'card' | 'line'

const looks = {
  card: {
    list: 'grid grid-cols-2 gap-px overflow-hidden rounded-xl border bg-line shadow-near lg:grid-cols-4',
    item: 'min-w-0 bg-surface px-4 py-3 sm:px-5 sm:py-2.5 lg:flex lg:items-center lg:justify-between lg:gap-3 lg:py-1.5',
    name: 'engraved text-muted',
    value: 'flex min-h-8 min-w-0 max-lg:mt-0.5 flex-wrap items-center gap-x-3',
    figure: 'figures min-w-0 truncate font-semibold text-xl tracking-tight sm:text-2xl',
  },
  line: {
    list: 'flex flex-wrap gap-x-6',
    item: 'flex h-8 items-center gap-2 text-sm',
    name: 'text-muted',
    value: 'flex items-center gap-1',
    figure: 'figures font-semibold',
  },
}

export function SummaryCards({ look }: { look: Look }) {
  return (
    <section aria-label="Summary">
      <dl className={looks[look].list}>
        <SummaryCard look={look} name="Total Payments" query={totalPaymentsQuery} write={formatMoney} />
        <SummaryCard
          look={look}
          name="Successful"
          query={successfulPaymentsQuery}
          write={(count) => formatNumber(count)}
        />
        <SummaryCard
          look={look}
          name="Total Users"
          query={userStatsQuery}
          write={({ total_users }) => formatNumber(total_users)}
        />
        <SummaryCard
          look={look}
          name="Active Users"
          query={userStatsQuery}
          write={({ active_users }) => formatNumber(active_users)}
        />
      </dl>
    </section>
  )
}

type SummaryCardProps<Answer, Key extends QueryKey> = {
  look: Look
  name: string
  query: UseQueryOptions<Answer, Error, Answer, Key>
  write: (answer: Answer) => string
}

/** Keeps the last figure when a refresh fails, and marks it. */
function SummaryCard<Answer, Key extends QueryKey>(props: SummaryCardProps<Answer, Key>) {
  const { name, query, write } = props
  const look = looks[props.look]
  const { data, isError, isFetching, refetch } = useQuery(query)
  return (
    <div className={look.item}>
      <dt className={look.name}>{name}</dt>
      <dd className={look.value}>
        {data === undefined && isError ? (
          <span className="text-danger text-sm">Could not load</span>
        ) : (
          <p className={look.figure}>{data === undefined ? '...' : write(data)}</p>
        )}
        {isError && (
          <button
            type="button"
            disabled={isFetching}
            aria-label={`Load ${name} again`}
            title={
              data === undefined ? 'Try again' : 'This figure may be outdated: the latest could not be loaded'
            }
            onClick={() => void refetch()}
            className="grid size-7 place-items-center rounded-md text-danger hover:bg-danger-soft disabled:opacity-40"
          >
            <RotateCw aria-hidden className="size-4" />
          </button>
        )}
      </dd>
    </div>
  )
}
