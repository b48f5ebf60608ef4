import type { AllUsers } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

export type OpenedAlert = {
  id: number
  kind: string
  subject: string
  message: string
  first_at: Date
  username: string | null
}

/**
 * Takes alerts that were not yet considered for email. Each is returned once. Workers take turns, so that they do not split alerts of
 * the same time into several mails.
 */
export async function takeNewAlerts(
  db: Database,
  _scope: AllUsers,
  most: number,
  now: Date,
): Promise<OpenedAlert[]> {
  await sql`select pg_advisory_xact_lock(hashtext('alert mails'))`.execute(db)
  const { rows } = await sql<OpenedAlert>`
    with chosen as (
      select id from alerts where mail_considered_at is null order by id limit ${most} for update skip locked),
    taken as (
      update alerts set mail_considered_at = ${now} from chosen where alerts.id = chosen.id
      returning alerts.*)
    select taken.id, kind, subject, message, first_at, users.username
      from taken left join users on users.id = taken.user_id
     order by taken.id`.execute(db)
  return rows
}

type NewMail = { recipient: string; subject: string; body: string }

export async function insertMails(db: Database, mails: readonly NewMail[], now: Date): Promise<void> {
  await db
    .insertInto('alert_mails')
    .values(mails.map((mail) => ({ ...mail, created_at: now })))
    .execute()
}

/** Locks the next unsent mail after `afterId`. Other workers skip it. Mails older than `since` are abandoned. */
export const lockUnsentMail = (db: Database, afterId: number, since: Date) =>
  db
    .selectFrom('alert_mails')
    .selectAll()
    .where('sent_at', 'is', null)
    .where('id', '>', afterId)
    .where('created_at', '>', since)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

export async function markMailSent(db: Database, id: number, now: Date): Promise<void> {
  await db.updateTable('alert_mails').set({ sent_at: now }).where('id', '=', id).execute()
}

export async function deleteMailsBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('alert_mails').where('created_at', '<', before).execute()
}
