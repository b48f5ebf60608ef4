import { Link } from '@tanstack/react-router'
import type { Ticket } from '@trunkline/contract/tickets'
import { atTime, onDay } from '../../common/payments/dates.ts'
import { TicketBadges } from '../../common/tickets/TicketBadges.tsx'
import { cx } from '../../ui/cx.ts'
import { Lamp } from '../../ui/Lamp.tsx'

/** The reader's own tickets, newest first. Each leads to its thread. */
export function TicketList({ tickets, opened }: { tickets: readonly Ticket[]; opened: number | null }) {
  return (
    <ul className="divide-y">
      {tickets.map((ticket) => (
        <li key={ticket.id}>
          <Link
            to="/dashboard/support"
            search={{ ticket: ticket.id }}
            aria-current={ticket.id === opened || undefined}
            className={cx(
              'flex gap-3 px-5 py-3.5 transition-colors focus-visible:-outline-offset-2',
              ticket.id === opened ? 'bg-ink/6' : 'hover:bg-ink/3',
            )}
          >
            <Lamp lit={ticket.unread > 0 ? 'signal' : 'off'} label="" className="mt-1" />
            <span className="min-w-0 flex-1">
              <span className={cx('block truncate', ticket.unread > 0 ? 'font-semibold' : 'font-medium')}>
                {ticket.subject}
              </span>
              <span className="figures mb-1.5 block text-muted text-xs">
                {onDay(ticket.updatedAt)} {atTime(ticket.updatedAt)}
              </span>
              <TicketBadges ticket={ticket} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
