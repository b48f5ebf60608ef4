import type { AgeCounts } from '@trunkline/contract/age-counts'
import type { AgeBand } from '@trunkline/contract/ages'
import type { TicketPriority, TicketStatus } from '@trunkline/contract/tickets'
import type { Owner } from '@trunkline/domain/access'
import { sql } from 'kysely'
import { countByAge, isOfAge } from '../../../platform/ages.ts'
import type { Database } from '../../../platform/database.ts'
import { beforeId, insertedId, ofOwner, ownRow, ROW_COUNT, updatesRow } from '../../../platform/rows.ts'
import { idOfUser } from '../../identity/users/store.ts'

export type TicketRow = Awaited<ReturnType<typeof listTickets>>[number]
export type TicketMessageRow = Awaited<ReturnType<typeof listMessages>>[number]

/** The customer's own tickets, or all for the staff, with the first message. */
const visibleTickets = (db: Database, owner: Owner) =>
  db
    .selectFrom('tickets')
    .innerJoin('users', 'users.id', 'tickets.user_id')
    .leftJoin('users as assignee', 'assignee.id', 'tickets.assignee_id')
    .selectAll('tickets')
    .select(['users.username', 'users.name', 'assignee.username as assignee_name'])
    .select((eb) =>
      eb
        .selectFrom('ticket_messages')
        .whereRef('ticket_messages.ticket_id', '=', 'tickets.id')
        .select('body')
        .orderBy('ticket_messages.id')
        .limit(1)
        .$asScalar()
        .$notNull()
        .as('message'),
    )
    .where(ofOwner(owner, 'tickets.user_id'))

export type TicketFilter = {
  before?: number | undefined
  limit: number
  status?: TicketStatus | undefined
  priority?: TicketPriority | undefined
  waiting?: 'yes' | undefined
  /** Only tickets that have waited this long. */
  age?: { band: AgeBand; now: Date } | undefined
  /** Null for tickets that are assigned to nobody. */
  assignee?: number | null | undefined
  user?: number | undefined
  username?: string | undefined
  text?: string | undefined
}

export const listTickets = (db: Database, owner: Owner, filter: TicketFilter) =>
  visibleTickets(db, owner)
    .$if(filter.status !== undefined, (query) => query.where('tickets.status', '=', filter.status ?? 'open'))
    .$if(filter.priority !== undefined, (query) =>
      query.where('tickets.priority', '=', filter.priority ?? 'medium'),
    )
    .$if(filter.waiting !== undefined || filter.age !== undefined, (query) => query.where(waits))
    .where(
      filter.age ? isOfAge('tickets.waiting_since', filter.age.band, filter.age.now) : sql<boolean>`true`,
    )
    .$if(filter.assignee !== undefined, (query) =>
      query.where('tickets.assignee_id', 'is not distinct from', filter.assignee ?? null),
    )
    .$if(filter.user !== undefined, (query) => query.where('tickets.user_id', '=', filter.user ?? 0))
    .$if(filter.username !== undefined, (query) =>
      query.where('tickets.user_id', '=', idOfUser(db, owner, filter.username ?? '')),
    )
    .$if(Boolean(filter.text), (query) => query.where(mentions(filter.text ?? '')))
    .where(beforeId('tickets.id', filter.before))
    .orderBy('tickets.id', 'desc')
    .limit(filter.limit)
    .execute()

export const findTicket = (db: Database, owner: Owner, id: number): Promise<TicketRow | undefined> =>
  visibleTickets(db, owner).where('tickets.id', '=', id).executeTakeFirst()

/** Serializes changes of a ticket. */
export const lockTicket = (db: Database, owner: Owner, id: number): Promise<TicketRow | undefined> =>
  visibleTickets(db, owner).where('tickets.id', '=', id).forUpdate('tickets').executeTakeFirst()

/** Open, and the last message is from the customer. Same expression as the index. */
const waits = sql<boolean>`tickets.status = 'open' and tickets.awaits_staff`

const mentions = (text: string) => {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const inSubject = sql<boolean>`lower(tickets.subject) like ${pattern}`
  return /^\d{1,9}$/.test(text) ? sql<boolean>`(tickets.id = ${Number(text)} or ${inSubject})` : inSubject
}

export const countTickets = (
  db: Database,
  owner: Owner,
  now: Date,
): Promise<{ open: number; waiting: number; ages: AgeCounts }> =>
  db
    .selectFrom('tickets')
    .select([
      ROW_COUNT.as('open'),
      sql<number>`(count(*) filter (where awaits_staff))::integer`.as('waiting'),
      countByAge('waiting_since', now, sql`awaits_staff`).as('ages'),
    ])
    .where('status', '=', 'open')
    .where(ofOwner(owner, 'user_id'))
    .executeTakeFirstOrThrow()

export const insertTicket = (
  db: Database,
  ticket: { userId: number; subject: string; priority: TicketPriority },
  now: Date,
): Promise<number> =>
  insertedId(
    db
      .insertInto('tickets')
      .values({
        user_id: ticket.userId,
        subject: ticket.subject,
        priority: ticket.priority,
        created_at: now,
        updated_at: now,
        waiting_since: now,
      })
      .returning('id'),
  )

/** Adds a message, increases the unread count of the other side and resets that of the author. */
export async function insertMessage(
  db: Database,
  owner: Owner,
  message: { ticketId: number; authorId: number; isStaff: boolean; body: string },
  now: Date,
): Promise<void> {
  const { ticketId, authorId, isStaff, body } = message
  const { numUpdatedRows } = await db
    .updateTable('tickets')
    .set({
      updated_at: now,
      user_unread: isStaff ? sql<number>`user_unread + 1` : 0,
      staff_unread: isStaff ? 0 : sql<number>`staff_unread + 1`,
      awaits_staff: !isStaff,
      waiting_since: isStaff ? null : sql<Date>`coalesce(waiting_since, ${now})`,
      ...(isStaff && { first_answered_at: sql<Date>`coalesce(first_answered_at, ${now})` }),
    })
    .where(ownRow(owner, ticketId))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Error(`ticket ${ticketId} not found`)
  await db
    .insertInto('ticket_messages')
    .values({ ticket_id: ticketId, author_id: authorId, is_staff: isStaff, body, created_at: now })
    .execute()
}

export const listMessages = (db: Database, owner: Owner, ticketId: number) =>
  db
    .selectFrom('ticket_messages')
    .innerJoin('tickets', 'tickets.id', 'ticket_messages.ticket_id')
    .innerJoin('users as author', 'author.id', 'ticket_messages.author_id')
    .selectAll('ticket_messages')
    .select('author.username as author')
    .where('ticket_messages.ticket_id', '=', ticketId)
    .where(ofOwner(owner, 'tickets.user_id'))
    .orderBy('ticket_messages.id')
    .execute()

export async function updateTicket(
  db: Database,
  owner: Owner,
  id: number,
  change: { status?: TicketStatus | undefined; priority?: TicketPriority | undefined },
  now: Date,
): Promise<void> {
  await db
    .updateTable('tickets')
    .set({ ...change, updated_at: now })
    .where(ownRow(owner, id))
    .execute()
}

/** False if the ticket does not exist. */
export const markRead = (
  db: Database,
  owner: Owner,
  id: number,
  side: 'user_unread' | 'staff_unread',
): Promise<boolean> =>
  updatesRow(
    db
      .updateTable('tickets')
      .set({ [side]: 0 })
      .where(ownRow(owner, id)),
  )
