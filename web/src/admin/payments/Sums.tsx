import { useQuery } from '@tanstack/react-query'
import type { PaymentSums } from '@trunkline/contract/admin-payments'
import { inDollars } from '../../common/dollars.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { sumsQuery } from './queries.ts'
import type { Selection } from './search.ts'

/** The figures of everything selected, not of the page alone. */
export function Sums({ selection }: { selection: Selection }) {
  const { data, isError, isPlaceholderData, isPending, refetch } = useQuery(sumsQuery(selection))
  return (
    <section
      aria-label="Totals"
      aria-busy={isPending || isPlaceholderData}
      className={cx('card mb-4 p-0 transition-opacity', isPlaceholderData && 'opacity-50')}
    >
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl bg-line lg:grid-cols-4">
        {figuresOf(data).map(([name, figure]) => (
          <div key={name} className="min-w-0 bg-surface px-4 py-3 sm:px-5">
            <dt className="engraved text-muted">{name}</dt>
            <dd className="figures mt-0.5 flex h-8 items-center truncate font-semibold text-xl tracking-tight">
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
          More payments fit than are added up one by one: these figures are of the newest{' '}
          {data.payments.toLocaleString('en-US')}. Choose fewer days for exact ones.
        </p>
      )}
    </section>
  )
}

function figuresOf(sums: PaymentSums | undefined): [name: string, figure: string][] {
  const show = (write: (known: PaymentSums) => string) => (sums ? write(sums) : '–')
  return [
    [
      'Payments',
      show(({ payments, is_capped }) => `${payments.toLocaleString('en-US')}${is_capped ? '+' : ''}`),
    ],
    ['Asked for', show(({ amount }) => inDollars(amount))],
    ['Paid', show(({ paid }) => inDollars(paid))],
    ['Refunded', show(({ refunded }) => inDollars(refunded))],
  ]
}
