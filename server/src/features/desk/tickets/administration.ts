import type { AnswerOf } from '@trunkline/contract'
import type { AgeBand } from '@trunkline/contract/ages'
import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import type { StaffMember, StaffTicket } from '@trunkline/contract/tickets'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import { type Clock, DAY } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import type { TicketChange } from './service.ts'
import {
  assignTicket,
  findStaffMember,
  insertNote,
  listNotes,
  listStaff,
  readAnswerTimes,
} from './staff-store.ts'
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
import { viewNote, viewStaffMessage, viewStaffTicket } from './view.ts'

export type TicketAdministration = ReturnType<typeof createTicketAdministration>

type StaffChange = TicketChange & { assignee_id?: number | null | undefined }
type StaffFilter = Omit<TicketFilter, 'assignee' | 'age'> & {
  assigned?: 'me' | 'nobody' | undefined
  age?: AgeBand | undefined
}

/** The median covers tickets that were first answered in this period. */
const MEDIAN_MS = 30 * DAY

/** Tickets for the staff. */
export function createTicketAdministration(db: Database, clock: Clock, audit: Audit) {
  async function find(handle: Database, caller: Caller, id: number): Promise<TicketRow> {
    return requireFound(await findTicket(handle, everyonesData(caller), id))
  }

  async function take(tx: Database, caller: Caller, id: number): Promise<TicketRow> {
    return requireFound(await lockTicket(tx, everyonesData(caller), id))
  }

  async function thread(handle: Database, caller: Caller, id: number) {
    const owner = everyonesData(caller)
    const ticket = viewStaffTicket(await find(handle, caller, id))
    const messages = (await listMessages(handle, owner, id)).map(viewStaffMessage)
    return { ticket, messages, notes: (await listNotes(handle, owner, id)).map(viewNote) }
  }

  /** Customers see the time of the last update, so an assignment does not change it. */
  async function assign(tx: Database, caller: Caller, id: number, assigneeId: number | null) {
    const owner = everyonesData(caller)
    if (assigneeId !== null && !(await findStaffMember(tx, owner, assigneeId)))
      throw new Refusal('invalid_input', ownMessages.assigneeUnknown, [
        { field: 'assignee_id', message: ownMessages.assigneeUnknown },
      ])
    await assignTicket(tx, owner, id, assigneeId)
  }

  return {
    async list(caller: Caller, { assigned, age: band, ...filter }: StaffFilter) {
      const owner = everyonesData(caller)
      const assignee = assigned && { me: caller.userId, nobody: null }[assigned]
      const now = clock.now()
      const age = band && { band, now }
      const rows = await listTickets(db, owner, { ...filter, assignee, age, limit: filter.limit + 1 })
      const { shown, next } = pageOf(rows, filter.limit, ({ id }) => id)
      return { tickets: shown.map(viewStaffTicket), next, ...(await countTickets(db, owner, now)) }
    },

    async times(caller: Caller): Promise<AnswerOf<'GET /api/admin/support/times'>> {
      const now = clock.now()
      return readAnswerTimes(db, everyonesData(caller), { now, since: new Date(now.getTime() - MEDIAN_MS) })
    },

    staff: (caller: Caller): Promise<StaffMember[]> => listStaff(db, everyonesData(caller)),

    thread: (caller: Caller, id: number) => thread(db, caller, id),

    /** Takes a ticket that nobody has. */
    reply: (caller: Caller, id: number, body: string) =>
      db.transaction().execute(async (tx) => {
        const row = await take(tx, caller, id)
        if (row.status === 'closed') throw new Refusal('ticket_closed')
        const message = { ticketId: id, authorId: caller.userId, isStaff: true, body }
        await insertMessage(tx, everyonesData(caller), message, clock.now())
        if (row.assignee_id === null) await assignTicket(tx, everyonesData(caller), id, caller.userId)
        const answered = await thread(tx, caller, id)
        const [before, after] = [row.assignee_name, answered.ticket.assignee?.username ?? null]
        await audit.write(tx, caller, {
          ...auditEntry('ticket.reply', row),
          ...(before === after
            ? { before: null, after: null }
            : { before: { assignee: before }, after: { assignee: after } }),
        })
        return answered
      }),

    /** Closed tickets take notes too. */
    addNote: (caller: Caller, id: number, body: string) =>
      db.transaction().execute(async (tx) => {
        const row = await take(tx, caller, id)
        const note = { ticketId: id, authorId: caller.userId, body }
        await insertNote(tx, everyonesData(caller), note, clock.now())
        await audit.write(tx, caller, {
          ...auditEntry('ticket.note', row),
          before: null,
          after: { note: body },
        })
        return thread(tx, caller, id)
      }),

    change: (
      caller: Caller,
      id: number,
      { assignee_id: assigneeId, ...change }: StaffChange,
    ): Promise<StaffTicket> =>
      db.transaction().execute(async (tx) => {
        const row = await take(tx, caller, id)
        if (assigneeId !== undefined) await assign(tx, caller, id, assigneeId)
        if (change.status !== undefined || change.priority !== undefined)
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
})

const stateOf = ({ status, priority, assignee_name }: TicketRow) => ({
  status,
  priority,
  assignee: assignee_name,
})
