import type { StaffMember } from '@trunkline/contract/tickets'
import type { AllUsers } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

export type TicketNoteRow = Awaited<ReturnType<typeof listNotes>>[number]

/** Internal notes are in a table of their own. Every function here requires the scope of the staff. */
export const listNotes = (db: Database, _scope: AllUsers, ticketId: number) =>
  db
    .selectFrom('ticket_notes')
    .leftJoin('users as author', 'author.id', 'ticket_notes.author_id')
    .selectAll('ticket_notes')
    .select('author.username as author')
    .where('ticket_notes.ticket_id', '=', ticketId)
    .orderBy('ticket_notes.id')
    .execute()

export async function insertNote(
  db: Database,
  _scope: AllUsers,
  note: { ticketId: number; authorId: number; body: string },
  now: Date,
): Promise<void> {
  await db
    .insertInto('ticket_notes')
    .values({ ticket_id: note.ticketId, author_id: note.authorId, body: note.body, created_at: now })
    .execute()
}

const activeStaff = (db: Database) =>
  db
    .selectFrom('users')
    .select(['users.id', 'users.username'])
    .where('users.is_admin', '=', true)
    .where('users.disabled_at', 'is', null)

export const listStaff = (db: Database, _scope: AllUsers): Promise<StaffMember[]> =>
  activeStaff(db).orderBy(sql`lower(users.username)`).execute()

export const findStaffMember = (
  db: Database,
  _scope: AllUsers,
  id: number,
): Promise<StaffMember | undefined> => activeStaff(db).where('users.id', '=', id).executeTakeFirst()

export async function assignTicket(
  db: Database,
  _scope: AllUsers,
  id: number,
  assigneeId: number | null,
): Promise<void> {
  await db.updateTable('tickets').set({ assignee_id: assigneeId }).where('id', '=', id).execute()
}

type AnswerTimes = { median_first_answer_seconds: number | null; oldest_waiting_seconds: number | null }

export async function readAnswerTimes(
  db: Database,
  _scope: AllUsers,
  { now, since }: { now: Date; since: Date },
): Promise<AnswerTimes> {
  const { rows } = await sql<AnswerTimes>`
    select (select percentile_cont(0.5) within group (order by extract(epoch from first_answered_at - created_at))
              from tickets
             where first_answered_at > ${since})::integer as median_first_answer_seconds,
           (select extract(epoch from ${now}::timestamptz - min(waiting_since))
              from tickets
             where status = 'open' and awaits_staff)::integer as oldest_waiting_seconds`.execute(db)
  if (!rows[0]) throw new Error('a select without a table has one row')
  return rows[0]
}
