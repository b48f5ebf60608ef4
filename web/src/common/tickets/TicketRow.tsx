import type { Ticket } from '@trunkline/contract/tickets'
import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { Lamp } from '../../ui/Lamp.tsx'
import { SkeletonList } from '../../ui/Skeleton.tsx'
import { formatDateTime } from '../format/dates.ts'
import { TicketBadges } from './TicketBadges.tsx'

/** `isLine` puts the ticket on one line on wide screens. */
export const ticketLinkClass = (isOpened: boolean, isLine = false): string =>
  cx(
    'flex gap-3 px-5 py-3.5 transition-colors focus-visible:-outline-offset-2',
    isLine && 'lg:min-h-9 lg:items-center lg:px-4 lg:py-1 lg:text-sm short:py-2',
    isOpened ? 'bg-ink/6' : 'hover:bg-ink/3',
  )

type TicketRowProps = { ticket: Ticket; whose?: string; isLine?: boolean; children?: ReactNode }

/** The content of a link to a ticket. */
export const TicketRow = ({ ticket, whose, isLine = false, children }: TicketRowProps) => (
  <>
    <Lamp lit={ticket.unread > 0 ? 'signal' : 'off'} label="" className={cx('mt-1', isLine && 'lg:mt-0')} />
    <span className={cx('min-w-0 flex-1', isLine && 'lg:flex lg:items-center lg:gap-4')}>
      <span
        className={cx(
          'block truncate',
          isLine && 'lg:flex-1',
          ticket.unread > 0 ? 'font-semibold' : 'font-medium',
        )}
      >
        {ticket.subject}
      </span>
      <span
        className={cx(
          'figures mb-1.5 block truncate text-muted text-xs',
          isLine && 'lg:mb-0 lg:w-64 lg:text-sm',
        )}
      >
        {whose !== undefined && `${whose}, `}
        {formatDateTime(ticket.updatedAt)}
      </span>
      <span className={cx('flex flex-wrap gap-1.5', isLine && 'lg:w-112 lg:flex-nowrap lg:*:flex-nowrap')}>
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
