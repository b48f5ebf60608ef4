import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { inDollars } from '../common/dollars.ts'
import { successfulPaymentsQuery, totalPaymentsQuery, userStatsQuery } from './queries.ts'

const count = (figure: number): string => figure.toLocaleString('en-US')

export function SummaryCards() {
  return (
    <section aria-label="Summary">
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border bg-line shadow-near lg:grid-cols-4">
        <SummaryCard name="Total Payments" query={totalPaymentsQuery} write={inDollars} />
        <SummaryCard name="Successful" query={successfulPaymentsQuery} write={count} />
        <SummaryCard
          name="Total Users"
          query={userStatsQuery}
          write={({ total_users }) => count(total_users)}
        />
        <SummaryCard
          name="Active Users"
          query={userStatsQuery}
          write={({ active_users }) => count(active_users)}
        />
      </dl>
    </section>
  )
}

type SummaryCardProps<Answer, Key extends QueryKey> = {
  name: string
  query: UseQueryOptions<Answer, Error, Answer, Key>
  write: (answer: Answer) => string
}

/** Keeps the last figure when a refresh fails, and marks it. */
function SummaryCard<Answer, Key extends QueryKey>({ name, query, write }: SummaryCardProps<Answer, Key>) {
  const { data, isError, isFetching, refetch } = useQuery(query)
  return (
    <div className="min-w-0 bg-surface px-4 py-3 sm:px-5 sm:py-3.5">
      <dt className="engraved text-muted">{name}</dt>
      <dd className="mt-0.5 flex min-h-8 flex-wrap items-center gap-x-3">
        {data === undefined && isError ? (
          <span className="text-danger text-sm">Could not load</span>
        ) : (
          <p className="figures min-w-0 truncate font-semibold text-xl tracking-tight sm:text-2xl">
            {data === undefined ? '...' : write(data)}
          </p>
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
