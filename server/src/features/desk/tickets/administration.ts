import { Refusal } from '@trunkline/contract/errors'
import type { StaffTicket } from '@trunkline/contract/tickets'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import type { Audit } from '../../identity/audit/service.ts'
import type { TicketChange } from './service.ts'
import {
  countTickets,
  findTicket,
  insertMessage,
  listMessages,
  listTickets,
  lockTicket,
  markRead,
  type TicketFilter,
  type TicketRow,
  updateTicket,
} from './store.ts'
import { viewStaffMessage, viewStaffTicket } from './view.ts'

export type TicketAdministration = ReturnType<typeof createTicketAdministration>

/** Tickets for the staff. */
export function createTicketAdministration(db: Database, clock: Clock, audit: Audit) {
  async function find(handle: Database, caller: Caller, id: number): Promise<TicketRow> {
    const row = await findTicket(handle, everyonesData(caller), id)
    if (!row) throw new Refusal('not_found')
    return row
  }

  async function take(tx: Database, caller: Caller, id: number): Promise<TicketRow> {
    const row = await lockTicket(tx, everyonesData(caller), id)
    if (!row) throw new Refusal('not_found')
    return row
  }

  async function thread(handle: Database, caller: Caller, id: number) {
    const ticket = viewStaffTicket(await find(handle, caller, id))
    return { ticket, messages: (await listMessages(handle, everyonesData(caller), id)).map(viewStaffMessage) }
  }

  return {
    async list(caller: Caller, filter: TicketFilter) {
      const owner = everyonesData(caller)
      const rows = await listTickets(db, owner, { ...filter, limit: filter.limit + 1 })
      const { shown, next } = pageOf(rows, filter.limit, ({ id }) => id)
      return { tickets: shown.map(viewStaffTicket), next, ...(await countTickets(db, owner)) }
    },

    thread: (caller: Caller, id: number) => thread(db, caller, id),

    reply: (caller: Caller, id: number, body: string) =>
      db.transaction().execute(async (tx) => {
        const row = await take(tx, caller, id)
        if (row.status === 'closed') throw new Refusal('ticket_closed')
        const message = { ticketId: id, authorId: caller.userId, isStaff: true, body }
        await insertMessage(tx, everyonesData(caller), message, clock.now())
        await audit.write(tx, caller, { ...auditEntry('ticket.reply', row), before: null, after: null })
        return thread(tx, caller, id)
      }),

    change: (caller: Caller, id: number, change: TicketChange): Promise<StaffTicket> =>
      db.transaction().execute(async (tx) => {
        const row = await take(tx, caller, id)
        await updateTicket(tx, everyonesData(caller), id, change, clock.now())
        const changed = await find(tx, caller, id)
        const [before, after] = [stateOf(row), stateOf(changed)]
        await audit.write(tx, caller, { ...auditEntry('ticket.update', row), before, after })
        return viewStaffTicket(changed)
      }),

    async read(caller: Caller, id: number): Promise<void> {
      if (!(await markRead(db, everyonesData(caller), id, 'staff_unread'))) throw new Refusal('not_found')
    },
  }
}

const auditEntry = (action: string, row: TicketRow) => ({
  action,
  subject: `ticket ${row.id}`,
  userId: row.user_id,
  reason: null,
})

const stateOf = ({ status, priority }: TicketRow) => ({ status, priority })
