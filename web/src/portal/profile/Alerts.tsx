import { useInfiniteQuery } from '@tanstack/react-query'
import type { OwnAlert } from '@trunkline/contract/alerts'
import { ShieldCheck } from 'lucide-react'
import { explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { formatDateTime } from '../../common/format/dates.ts'
import { TextWithPhoneNumbers } from '../../common/PhoneNumber.tsx'
import { ShowMore } from '../../common/ShowMore.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { TitledCard } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Lamp } from '../../ui/Lamp.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { alertsQuery } from './queries.ts'

export function Alerts() {
  const query = useInfiniteQuery(alertsQuery)
  const alerts = query.data?.pages.flatMap((page) => page.alerts) ?? []
  return (
    <TitledCard title="Alerts" id="alerts" aria-busy={query.isPending} className="scroll-mt-24">
      {query.isPending ? (
        <SkeletonRows rows={3} className="h-14" />
      ) : query.isLoadingError ? (
        <Failure onRetry={() => void query.refetch()}>
          {explain(query.error, 'Your alerts could not be loaded.')}
        </Failure>
      ) : alerts.length === 0 ? (
        <EmptyState icon={<ShieldCheck />} title="No alerts" text="Blocked calls appear here." />
      ) : (
        <>
          <ul className="divide-y">
            {alerts.map((alert) => (
              <Alert key={alert.id} alert={alert} />
            ))}
          </ul>
          <ShowMore query={query} size="sm" className="mt-3" />
        </>
      )}
    </TitledCard>
  )
}

function Alert({ alert: { message, times, first_at, last_at, acknowledged_at } }: { alert: OwnAlert }) {
  const isOpen = acknowledged_at === null
  return (
    <li className="flex items-start gap-3 py-3 first:pt-0 last:pb-0">
      <Lamp lit={isOpen ? 'danger' : 'off'} label="" className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p className="break-words text-sm">
          <TextWithPhoneNumbers text={message} />
        </p>
        <p className="figures mt-0.5 text-muted text-xs">
          {times > 1
            ? `${times} times, first ${formatDateTime(first_at)}, last ${formatDateTime(last_at)}`
            : `${formatDateTime(last_at)}`}
        </p>
      </div>
      <Badge tone={isOpen ? 'danger' : 'neutral'}>{isOpen ? 'Open' : 'Resolved'}</Badge>
    </li>
  )
}
