import { useQuery } from '@tanstack/react-query'
import type { CdrTotals } from '@trunkline/contract/cdr'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { asClock } from '../../durations.ts'
import { costInDollars } from '../../prices.ts'
import { totalsQuery } from './queries.ts'
import type { Selection } from './search.ts'
import { useCallSource } from './source.ts'

/** The figures of everything selected, not of the page alone. */
export function Totals({ selection }: { selection: Selection }) {
  const { data, isError, isPlaceholderData, isPending, refetch } = useQuery(
    totalsQuery(useCallSource(), selection),
  )
  return (
    <section
      aria-label="Totals"
      aria-busy={isPending || isPlaceholderData}
      className={cx('card mb-4 p-0 transition-opacity', isPlaceholderData && 'opacity-50')}
    >
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl bg-line sm:grid-cols-3 lg:grid-cols-5">
        {figuresOf(data).map(([name, figure]) => (
          <div
            key={name}
            className="bg-surface px-4 py-3.5 max-lg:last:col-span-1 max-sm:first:col-span-2 sm:px-5"
          >
            <dt className="engraved text-muted">{name}</dt>
            <dd className="figures mt-1 flex h-8 items-center font-semibold text-2xl tracking-tight">
              {isPending ? <Skeleton className="h-5 w-20" /> : figure}
            </dd>
          </div>
        ))}
      </dl>
      {isError && !data && (
        <div role="alert" className="flex flex-wrap items-center gap-3 border-t px-4 py-2.5 text-sm sm:px-5">
          These figures could not be added up.
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {data?.is_capped && (
        <p className="border-t px-4 py-2.5 text-muted text-sm sm:px-5">
          More calls fit than are added up one by one: these figures are of the newest. Choose a shorter
          period for exact ones.
        </p>
      )}
    </section>
  )
}

const NOTHING = '–'

function figuresOf(totals: CdrTotals | undefined): [name: string, figure: string][] {
  const show = (write: (known: CdrTotals) => string | null) => (totals && write(totals)) ?? NOTHING
  return [
    ['Calls', show(({ calls }) => calls.toLocaleString('en-US'))],
    [
      'Minutes',
      show(({ minutes }) =>
        minutes.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
      ),
    ],
    ['Cost', show(({ cost }) => costInDollars(cost))],
    ['Answer rate', show(({ answer_rate }) => (answer_rate === null ? null : `${answer_rate.toFixed(1)}%`))],
    [
      'Average call',
      show(({ average_duration }) => (average_duration === null ? null : asClock(average_duration))),
    ],
  ]
}
