import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { formatDate, formatTime } from '../../common/format/dates.ts'
import { formatMoney } from '../../common/format/money.ts'
import { PanelCard } from '../../common/PanelCard.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { StatusWords } from '../payments/StatusWords.tsx'
import { recentPaymentsQuery } from './queries.ts'

export function RecentPayments() {
  const { data, isLoadingError, error, refetch } = useQuery(recentPaymentsQuery)
  return (
    <PanelCard
      title="Recent Payments"
      step={2}
      action={
        <Link
          to="/admin-panal/payments"
          className="py-0.5 text-signal-ink text-sm underline underline-offset-4"
        >
          All Payments
        </Link>
      }
    >
      {data === undefined ? (
        isLoadingError ? (
          <Failure onRetry={() => void refetch()}>
            {explain(error, 'The latest payments could not be loaded.')}
          </Failure>
        ) : (
          <div aria-busy="true">
            <SkeletonRows rows={4} className="h-13" />
          </div>
        )
      ) : data.length === 0 ? (
        <EmptyState title="No payments yet" text="Top-ups and upgrades of customers appear here." />
      ) : (
        <ul className="-my-1 divide-y">
          {data.map((payment) => (
            <li key={payment.id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 py-2 text-sm">
              <span className="truncate font-medium">{payment.user.username}</span>
              <span className="figures text-right font-medium">{formatMoney(payment.amount)}</span>
              <span className="truncate text-muted text-xs" title={formatDate(payment.created_at)}>
                {payment.kind === 'upgrade' ? 'Purchase' : 'Top-up'} · {whenOf(payment.created_at)}
              </span>
              <span className="text-right">
                <StatusWords payment={payment} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </PanelCard>
  )
}

const whenOf = (moment: string): string =>
  formatDate(moment) === formatDate(new Date().toISOString()) ? formatTime(moment) : formatDate(moment)
