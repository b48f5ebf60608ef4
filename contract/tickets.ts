import { z } from 'zod'
import { AgeBand, AgeCounts } from './age-counts.ts'
import type { Endpoints } from './endpoint.ts'
import { filled, Id, Message, Timestamp, TypedUsername, UserRef } from './fields.ts'
import { SEARCH_MAX, TICKET_MESSAGE_MAX, TICKET_SUBJECT_MAX } from './limits.ts'
import { ownMessages } from './messages.ts'
import { GivenId, IdInAddress, IdInPath, Next, page } from './money.ts'

export const TicketStatus = z.enum(['open', 'closed'])
export const TicketPriority = z.enum(['high', 'medium', 'low'])
export type TicketStatus = z.output<typeof TicketStatus>
export type TicketPriority = z.output<typeof TicketPriority>

export const Ticket = z.object({
  id: Id,
  subject: z.string(),
  /** The first message. */
  message: z.string(),
  status: TicketStatus,
  priority: TicketPriority,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** Unread messages of the other side. */
  unread: z.int(),
})
export type Ticket = z.output<typeof Ticket>

export const TicketMessage = z.object({
  id: Id,
  /** Username of the customer. Customers do not see the names of staff members. */
  author: z.string(),
  is_staff: z.boolean(),
  message: z.string(),
  createdAt: Timestamp,
})
export type TicketMessage = z.output<typeof TicketMessage>

const StaffMember = UserRef
export type StaffMember = z.output<typeof StaffMember>

/** A note in the thread that only the staff sees. */
export const TicketNote = z.object({
  id: Id,
  /** Null if the account of the author was deleted. */
  author: z.string().nullable(),
  note: z.string(),
  createdAt: Timestamp,
})
export type TicketNote = z.output<typeof TicketNote>

export const StaffTicket = Ticket.extend({
  user: z.object({ id: Id, username: z.string(), name: z.string().nullable() }),
  assignee: StaffMember.nullable(),
  /** Seconds from the ticket to the first reply of the staff. Null without a reply. */
  first_answer_seconds: z.int().nullable(),
  /** Open, and the last message is from the customer. */
  is_waiting: z.boolean(),
  /** The oldest message of the customer without a reply. Null if the ticket does not wait for the staff. */
  waiting_since: Timestamp.nullable(),
})
export type StaffTicket = z.output<typeof StaffTicket>

const text = (missing: string, max: number) => filled(missing, max)
const Body = text(ownMessages.ticketMessageMissing, TICKET_MESSAGE_MAX)
const reply = z.strictObject({ message: Body })
const change = z.strictObject({ status: TicketStatus, priority: TicketPriority }).partial()
const staffChange = change.extend({
  /** An active administrator, or null for nobody. */
  assignee_id: GivenId.nullable().optional(),
})
const Thread = z.object({ ticket: Ticket, messages: z.array(TicketMessage) })
const StaffThread = z.object({
  ticket: StaffTicket,
  messages: z.array(TicketMessage),
  /** Oldest first. Customers never see them. */
  notes: z.array(TicketNote),
})

export const tickets = {
  'GET /api/support/tickets': {
    access: 'user',
    summary: 'List your tickets, newest first',
    query: z.strictObject({ ...page, status: TicketStatus.optional() }),
    answer: z.object({ tickets: z.array(Ticket), next: Next }),
  },
  'POST /api/support/tickets': {
    access: 'user',
    summary: 'Create a ticket',
    body: z.strictObject({
      subject: text(ownMessages.subjectMissing, TICKET_SUBJECT_MAX),
      message: Body,
      priority: TicketPriority.default('medium'),
    }),
    answer: z.object({ ticket: Ticket }),
    refusals: ['too_many_requests'],
  },
  'GET /api/support/tickets/:id': {
    access: 'user',
    summary: 'Get one of your tickets with its messages, oldest first',
    params: IdInPath,
    answer: Thread,
    refusals: ['not_found'],
  },
  'POST /api/support/tickets/:id/replies': {
    access: 'user',
    summary: 'Reply to one of your tickets',
    params: IdInPath,
    body: reply,
    answer: Thread,
    refusals: ['not_found', 'ticket_closed', 'too_many_requests'],
  },
  'PATCH /api/support/tickets/:id': {
    access: 'user',
    summary: 'Close or reopen one of your tickets, or change its priority',
    params: IdInPath,
    body: change,
    answer: z.object({ ticket: Ticket }),
    refusals: ['not_found'],
  },
  'POST /api/support/tickets/:id/read': {
    access: 'user',
    summary: 'Mark one of your tickets as read',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found'],
  },
  'GET /api/admin/support/tickets': {
    access: 'admin',
    summary: 'List the tickets of all customers, newest first, with the number of open and waiting tickets',
    query: z.strictObject({
      ...page,
      status: TicketStatus.optional(),
      priority: TicketPriority.optional(),
      /** Only tickets that wait for a reply of the staff. */
      waiting: z.literal('yes').optional(),
      /** Only tickets that have waited this long for a reply of the staff. */
      age: AgeBand.optional(),
      /** Tickets of the caller, or of nobody. */
      assigned: z.enum(['me', 'nobody']).optional(),
      user: IdInAddress.optional(),
      username: TypedUsername.optional(),
      /** Part of the subject, or a ticket number. */
      text: z.string().trim().max(SEARCH_MAX).optional(),
    }),
    answer: z.object({
      tickets: z.array(StaffTicket),
      open: z.int(),
      waiting: z.int(),
      /** Waiting tickets. */
      ages: AgeCounts,
      next: Next,
    }),
  },
  'GET /api/admin/support/times': {
    access: 'admin',
    summary: 'Get the median time to the first answer and the age of the oldest unanswered ticket',
    answer: z.object({
      /** Of tickets that were first answered in the last 30 days. Null without any. */
      median_first_answer_seconds: z.int().nullable(),
      /** Since the oldest message of a customer in an open ticket that waits for the staff. Null if none waits. */
      oldest_waiting_seconds: z.int().nullable(),
    }),
  },
  'GET /api/admin/support/staff': {
    access: 'admin',
    summary: 'List the active administrators, to whom tickets can be assigned',
    answer: z.object({ staff: z.array(StaffMember) }),
  },
  'GET /api/admin/support/tickets/:id': {
    access: 'admin',
    summary: 'Get a ticket with its messages and internal notes, oldest first',
    params: IdInPath,
    answer: StaffThread,
    refusals: ['not_found'],
  },
  'POST /api/admin/support/tickets/:id/replies': {
    access: 'admin',
    summary: 'Reply to a ticket as staff',
    params: IdInPath,
    body: reply,
    answer: StaffThread,
    refusals: ['not_found', 'ticket_closed'],
  },
  'POST /api/admin/support/tickets/:id/notes': {
    access: 'admin',
    summary:
      'Add an internal note to a ticket. Customers do not see it, and the ticket keeps waiting for the same side',
    params: IdInPath,
    body: z.strictObject({ note: text(ownMessages.noteMissing, TICKET_MESSAGE_MAX) }),
    answer: StaffThread,
    refusals: ['not_found'],
  },
  'PATCH /api/admin/support/tickets/:id': {
    access: 'admin',
    summary: 'Close or reopen a ticket, change its priority, or assign it to an administrator',
    params: IdInPath,
    body: staffChange,
    answer: z.object({ ticket: StaffTicket }),
    refusals: ['not_found'],
  },
  'POST /api/admin/support/tickets/:id/read': {
    access: 'admin',
    summary: 'Mark a ticket as read by staff',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
