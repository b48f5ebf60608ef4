import type { Ticket } from '@trunkline/contract/tickets'
import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { Lamp } from '../../ui/Lamp.tsx'
import { SkeletonList } from '../../ui/Skeleton.tsx'
import { formatDateTime } from '../format/dates.ts'
import { TicketBadges } from './TicketBadges.tsx'

export const ticketLinkClass = (isOpened: boolean): string =>
  cx(
    'flex gap-3 px-5 py-3.5 transition-colors focus-visible:-outline-offset-2',
    isOpened ? 'bg-ink/6' : 'hover:bg-ink/3',
  )

/** The content of a link to a ticket. */
export const TicketRow = ({
  ticket,
  whose,
  children,
}: {
  ticket: Ticket
  whose?: string
  children?: ReactNode
}) => (
  <>
    <Lamp lit={ticket.unread > 0 ? 'signal' : 'off'} label="" className="mt-1" />
    <span className="min-w-0 flex-1">
      <span className={cx('block truncate', ticket.unread > 0 ? 'font-semibold' : 'font-medium')}>
        {ticket.subject}
      </span>
      <span className="figures mb-1.5 block truncate text-muted text-xs">
        {whose !== undefined && `${whose}, `}
        {formatDateTime(ticket.updatedAt)}
      </span>
      <span className="flex flex-wrap gap-1.5">
        {children}
        <TicketBadges ticket={ticket} />
      </span>
    </span>
  </>
)

export const WaitingForTickets = () => (
  <div aria-busy="true">
    <SkeletonList rows={3} className="h-23 flex-col justify-center gap-2 px-5" parts={['w-44', 'w-28']} />
  </div>
)
