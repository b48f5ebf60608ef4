import type { StaffTicket, Ticket, TicketMessage, TicketNote } from '@trunkline/contract/tickets'
import { namedUser } from '../../identity/users/named-user.ts'
import type { TicketNoteRow } from './staff-store.ts'
import type { TicketMessageRow, TicketRow } from './store.ts'

export const viewTicket = (row: TicketRow): Ticket => ({ ...shared(row), unread: row.user_unread })

export const viewStaffTicket = (row: TicketRow): StaffTicket => ({
  ...shared(row),
  unread: row.staff_unread,
  user: { id: row.user_id, username: row.username, name: row.name },
  assignee: namedUser(row.assignee_id, row.assignee_name),
  first_answer_seconds:
    row.first_answered_at === null ? null : secondsBetween(row.created_at, row.first_answered_at),
  is_waiting: row.status === 'open' && row.awaits_staff,
  waiting_since: (row.status === 'open' && row.awaits_staff && row.waiting_since?.toISOString()) || null,
})

const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 1_000))

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

export const viewNote = (row: TicketNoteRow): TicketNote => ({
  id: row.id,
  author: row.author,
  note: row.body,
  createdAt: row.created_at.toISOString(),
})
