import type { StaffTicket, Ticket, TicketMessage } from '@trunkline/contract/tickets'
import type { TicketMessageRow, TicketRow } from './store.ts'

export const viewTicket = (row: TicketRow): Ticket => ({ ...shared(row), unread: row.user_unread })

export const viewStaffTicket = (row: TicketRow): StaffTicket => ({
  ...shared(row),
  unread: row.staff_unread,
  user: { id: row.user_id, username: row.username },
  is_waiting: row.status === 'open' && row.awaits_staff,
})

const shared = (row: TicketRow) => ({
  id: row.id,
  subject: row.subject,
  message: row.message,
  status: row.status,
  priority: row.priority,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

/** Hides the names of staff members from customers. */
export const viewMessage = (row: TicketMessageRow): TicketMessage => ({
  ...viewStaffMessage(row),
  author: row.is_staff ? 'Support' : row.author,
})

export const viewStaffMessage = (row: TicketMessageRow): TicketMessage => ({
  id: row.id,
  author: row.author,
  is_staff: row.is_staff,
  message: row.body,
  createdAt: row.created_at.toISOString(),
})
