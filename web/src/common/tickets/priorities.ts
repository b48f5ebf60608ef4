import type { TicketPriority } from '@trunkline/contract/tickets'

export const priorities: readonly [priority: TicketPriority, label: string][] = [
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
]
