import { Link } from '@tanstack/react-router'
import type { Ticket } from '@trunkline/contract/tickets'
import { TicketRow, ticketLinkClass } from '../../common/tickets/TicketRow.tsx'

export function TicketList({ tickets, opened }: { tickets: readonly Ticket[]; opened: number | null }) {
  return (
    <ul className="divide-y">
      {tickets.map((ticket) => (
        <li key={ticket.id}>
          <Link
            to="/dashboard/support"
            search={{ ticket: ticket.id }}
            aria-current={ticket.id === opened || undefined}
            className={ticketLinkClass(ticket.id === opened)}
          >
            <TicketRow ticket={ticket} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
