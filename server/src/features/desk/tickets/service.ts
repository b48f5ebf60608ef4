import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import type { Ticket, TicketMessage, TicketPriority, TicketStatus } from '@trunkline/contract/tickets'
import { type Caller, ownDataOf } from '@trunkline/domain/access'
import { type Clock, HOUR } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { AttemptLimits } from '../../identity/attempts/service.ts'
import {
  findTicket,
  insertMessage,
  insertTicket,
  listMessages,
  listTickets,
  lockTicket,
  markRead,
  type TicketFilter,
  updateTicket,
} from './store.ts'
import { viewMessage, viewTicket } from './view.ts'

export type Tickets = ReturnType<typeof createTickets>

/** Rate limit against scripts. */
const TICKETS_PER_HOUR = 10
const REPLIES_PER_HOUR = 60

export type TicketChange = { status?: TicketStatus | undefined; priority?: TicketPriority | undefined }

/** Tickets for customers. */
export function createTickets(db: Database, clock: Clock, attempts: AttemptLimits) {
  async function limited(caller: Caller, what: string, max: number): Promise<void> {
    const limit = { key: `${what} ${caller.userId}`, max, windowMs: HOUR }
    await attempts.require([limit], ownMessages.tooManyTickets)
  }

  async function show(handle: Database, caller: Caller, id: number): Promise<Ticket> {
    return viewTicket(requireFound(await findTicket(handle, ownDataOf(caller), id)))
  }

  async function thread(handle: Database, caller: Caller, id: number) {
    const ticket = await show(handle, caller, id)
    const messages: TicketMessage[] = (await listMessages(handle, ownDataOf(caller), id)).map(viewMessage)
    return { ticket, messages }
  }

  return {
    async list(caller: Caller, filter: TicketFilter) {
      const rows = await listTickets(db, ownDataOf(caller), { ...filter, limit: filter.limit + 1 })
      const { shown, next } = pageOf(rows, filter.limit, ({ id }) => id)
      return { tickets: shown.map(viewTicket), next }
    },

    thread: (caller: Caller, id: number) => thread(db, caller, id),

    async open(
      caller: Caller,
      { subject, message, priority }: { subject: string; message: string; priority: TicketPriority },
    ): Promise<Ticket> {
      await limited(caller, 'ticket', TICKETS_PER_HOUR)
      return db.transaction().execute(async (tx) => {
        const owner = ownDataOf(caller)
        const { userId } = caller
        const ticketId = await insertTicket(tx, { userId, subject, priority }, clock.now())
        const first = { ticketId, authorId: userId, isStaff: false, body: message }
        await insertMessage(tx, owner, first, clock.now())
        return show(tx, caller, ticketId)
      })
    },

    async reply(caller: Caller, id: number, body: string) {
      await limited(caller, 'ticket reply', REPLIES_PER_HOUR)
      return db.transaction().execute(async (tx) => {
        const owner = ownDataOf(caller)
        const row = requireFound(await lockTicket(tx, owner, id))
        if (row.status === 'closed') throw new Refusal('ticket_closed')
        const message = { ticketId: id, authorId: caller.userId, isStaff: false, body }
        await insertMessage(tx, owner, message, clock.now())
        return thread(tx, caller, id)
      })
    },

    change: (caller: Caller, id: number, change: TicketChange): Promise<Ticket> =>
      db.transaction().execute(async (tx) => {
        await show(tx, caller, id)
        await updateTicket(tx, ownDataOf(caller), id, change, clock.now())
        return show(tx, caller, id)
      }),

    async read(caller: Caller, id: number): Promise<void> {
      if (!(await markRead(db, ownDataOf(caller), id, 'user_unread'))) throw new Refusal('not_found')
    },
  }
}
