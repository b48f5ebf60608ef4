import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { formatDate } from '../../../common/format/dates.ts'
import { Paged } from '../../../common/Loaded.tsx'
import { TicketBadges } from '../../../common/tickets/TicketBadges.tsx'
import { TitledCard } from '../../../ui/Card.tsx'
import { ticketsQuery } from '../queries.ts'
import { listCard } from './list-card.ts'

export function Tickets({ user }: { user: UserDetails }) {
  const tickets = useInfiniteQuery(ticketsQuery(user.id))
  return (
    <TitledCard title="Tickets" className={listCard}>
      <Paged
        query={tickets}
        failed="The tickets could not be loaded."
        rowsOf={(page) => page.tickets}
        empty={{ title: 'No tickets', text: `Tickets of ${user.username} appear here.` }}
      >
        {(rows) => (
          <ul className="divide-y">
            {rows.map((ticket) => (
              <li key={ticket.id} className="py-3 lg:flex lg:items-center lg:gap-3 lg:py-1 short:max-lg:py-1">
                <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 lg:shrink-0">
                  <Link
                    to="/admin-panal/support"
                    search={{ user: user.username, show: 'all', ticket: ticket.id }}
                    preload={false}
                    className="min-w-0 break-words rounded-sm font-medium underline decoration-line underline-offset-4 hover:decoration-current"
                  >
                    {ticket.subject}
                  </Link>
                  <TicketBadges ticket={ticket} />
                  <span className="figures text-muted text-sm max-lg:sm:ml-auto">
                    {formatDate(ticket.updatedAt)}
                  </span>
                </p>
                <p className="mt-0.5 line-clamp-2 min-w-0 break-words text-muted text-sm lg:mt-0 lg:line-clamp-1">
                  {ticket.message}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </TitledCard>
  )
}
