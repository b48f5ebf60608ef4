import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { formatDateTime } from '../../../common/format/dates.ts'
import { Paged } from '../../../common/Loaded.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { buttonClass } from '../../../ui/Button.tsx'
import { TitledCard } from '../../../ui/Card.tsx'
import { alertsQuery } from '../queries.ts'
import { listCard } from './list-card.ts'

export function Alerts({ user }: { user: UserDetails }) {
  const alerts = useInfiniteQuery(alertsQuery(user.id))
  return (
    <TitledCard
      title="Alerts"
      className={listCard}
      action={
        user.open_alerts > 0 && (
          <Link
            to="/admin-panal/alerts"
            search={{ user: user.username }}
            className={buttonClass({ size: 'sm' })}
          >
            Acknowledge
          </Link>
        )
      }
    >
      <Paged
        query={alerts}
        failed="The alerts could not be loaded."
        rowsOf={(page) => page.alerts}
        empty={{ title: 'No alerts', text: 'Alerts about this account appear here.' }}
      >
        {(rows) => (
          <ul className="divide-y">
            {rows.map(({ id, message, times, last_at, acknowledged_at }) => (
              <li
                key={id}
                className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-3 lg:flex-nowrap lg:py-1.5 short:max-lg:py-1.5"
              >
                {acknowledged_at === null ? <Badge tone="danger">Open</Badge> : <Badge>Acknowledged</Badge>}
                <span className="min-w-0 flex-1 basis-60 break-words text-sm lg:line-clamp-2">{message}</span>
                <span className="figures text-muted text-sm">
                  {times > 1 && `${times} times, `}
                  {formatDateTime(last_at)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </TitledCard>
  )
}
