import type { Ticket } from '@trunkline/contract/tickets'
import { Badge } from '../../ui/Badge.tsx'

/** Medium priority has no badge. */
export function TicketBadges({ ticket: { status, priority, unread } }: { ticket: Ticket }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {unread > 0 && <Badge tone="signal">{unread} new</Badge>}
      <Badge tone={status === 'open' ? 'success' : 'neutral'}>{status === 'open' ? 'Open' : 'Closed'}</Badge>
      {priority === 'high' && <Badge tone="danger">High priority</Badge>}
      {priority === 'low' && <Badge>Low priority</Badge>}
    </span>
  )
}
