import type { StaffTicket } from '@trunkline/contract/tickets'
import { ChevronsDown, ChevronsUp, Hourglass, UserRound } from 'lucide-react'
import { formatWaited } from '../../common/format/durations.ts'
import { Badge } from '../../ui/Badge.tsx'
import { cx } from '../../ui/cx.ts'
import { Lamp } from '../../ui/Lamp.tsx'

export const ticketLineClass = (isOpened: boolean): string =>
  cx(
    'flex h-9 items-center gap-2 px-3 text-sm transition-colors focus-visible:-outline-offset-2',
    isOpened ? 'bg-ink/6' : 'hover:bg-ink/3',
  )

const iconClass = 'size-4 shrink-0'

/** A ticket of the list beside the open one. Icons replace the badges; screen readers get the same words. */
export function TicketLine({ ticket }: { ticket: StaffTicket }) {
  const { subject, user, unread, status, priority, assignee, is_waiting, waiting_since } = ticket
  return (
    <>
      <Lamp lit={unread > 0 ? 'signal' : 'off'} label="" />
      <span title={subject} className={cx('min-w-0 flex-1 truncate', unread > 0 && 'font-semibold')}>
        {subject}
      </span>
      <span title={user.username} className="max-w-24 shrink-0 truncate text-muted text-xs">
        {user.username}
      </span>
      {unread > 0 && <span className="sr-only">{unread} new</span>}
      {priority === 'high' && (
        <>
          <ChevronsUp aria-hidden className={cx(iconClass, 'text-danger')} />
          <span className="sr-only">High priority</span>
        </>
      )}
      {priority === 'low' && (
        <>
          <ChevronsDown aria-hidden className={cx(iconClass, 'text-muted')} />
          <span className="sr-only">Low priority</span>
        </>
      )}
      {assignee && (
        <span title={`Assigned to ${assignee.username}`} className="shrink-0 text-muted">
          <UserRound aria-hidden className={iconClass} />
          <span className="sr-only">Assigned to {assignee.username}</span>
        </span>
      )}
      {is_waiting && (
        <Badge tone="pending">
          <Hourglass aria-hidden className="size-3 shrink-0" />
          <span className="sr-only">Needs reply, waiting </span>
          {waiting_since !== null && formatWaited(waiting_since)}
        </Badge>
      )}
      {status === 'closed' && <Badge>Closed</Badge>}
    </>
  )
}
