import type { AlertState } from '@trunkline/contract/alerts'
import type { AllUsers, Owner } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { beforeId, countRows, ofOwner } from '../../../platform/rows.ts'
import { idOfUser } from '../users/store.ts'

export type CountedAlert = {
  kind: string
  subject: string
  userId: number | null
  message: string
  details: Record<string, unknown>
  times: number
}

/**
 * Opens alerts or increases the count of open ones, in one statement. Each kind and subject occurs once in the list. A fixed
 * row order prevents deadlocks.
 */
export async function countAlerts(db: Database, alerts: readonly CountedAlert[], now: Date): Promise<void> {
  await sql`
    insert into alerts (kind, subject, user_id, message, details, times, first_at, last_at)
    select kind, subject, "userId", message, details, times, ${now}, ${now}
      from jsonb_to_recordset(${JSON.stringify(alerts)}::jsonb)
        as given (kind text, subject text, "userId" integer, message text, details jsonb, times integer)
     order by kind, subject
    on conflict (kind, subject) where acknowledged_at is null do update set
      times = alerts.times + excluded.times,
      last_at = greatest(alerts.last_at, excluded.last_at),
      message = excluded.message,
      details = excluded.details`.execute(db)
}

/** Closes alerts, with the administrator or automatically. */
export async function closeAlerts(
  db: Database,
  _scope: AllUsers,
  { kind, subjects, by = null }: { kind: string; subjects: readonly string[]; by?: number | null },
  now: Date,
): Promise<void> {
  await db
    .updateTable('alerts')
    .set({ acknowledged_at: now, acknowledged_by: by })
    .where('kind', '=', kind)
    .where('subject', 'in', subjects)
    .where('acknowledged_at', 'is', null)
    .execute()
}

const visibleAlerts = (db: Database, owner: Owner) =>
  db
    .selectFrom('alerts')
    .leftJoin('users as customer', 'customer.id', 'alerts.user_id')
    .leftJoin('users as clerk', 'clerk.id', 'alerts.acknowledged_by')
    .selectAll('alerts')
    .select(['customer.username as customer_name', 'clerk.username as clerk_name'])
    .where(ofOwner(owner, 'alerts.user_id'))

export type AlertRow = Awaited<ReturnType<typeof listAlerts>>[number]

export type AlertFilter = {
  before?: number | undefined
  limit: number
  state: AlertState
  kinds?: readonly string[] | undefined
  user?: number | undefined
  username?: string | undefined
}

export const listAlerts = (db: Database, owner: Owner, filter: AlertFilter) =>
  visibleAlerts(db, owner)
    .$if(filter.state === 'open', (query) => query.where('alerts.acknowledged_at', 'is', null))
    .$if(filter.state === 'acknowledged', (query) => query.where('alerts.acknowledged_at', 'is not', null))
    .$if(filter.kinds !== undefined, (query) => query.where('alerts.kind', 'in', filter.kinds ?? []))
    .$if(filter.username !== undefined, (query) =>
      query.where('alerts.user_id', '=', idOfUser(db, owner, filter.username ?? '')),
    )
    .$if(filter.user !== undefined, (query) => query.where('alerts.user_id', '=', filter.user ?? 0))
    .where(beforeId('alerts.id', filter.before))
    .orderBy('alerts.id', 'desc')
    .limit(filter.limit)
    .execute()

export const findAlert = (db: Database, owner: Owner, id: number): Promise<AlertRow | undefined> =>
  visibleAlerts(db, owner).where('alerts.id', '=', id).executeTakeFirst()

export const countOpenAlerts = (db: Database, owner: Owner): Promise<number> =>
  countRows(db.selectFrom('alerts').where('acknowledged_at', 'is', null).where(ofOwner(owner, 'user_id')))

/**
 * Acknowledges open alerts and returns them. Locks rows in the same order as `countAlerts`, which prevents
 * deadlocks.
 */
export const acknowledgeAlerts = (
  db: Database,
  _scope: AllUsers,
  ids: readonly number[],
  by: number,
  now: Date,
) =>
  db
    .with('chosen', (query) =>
      query
        .selectFrom('alerts')
        .select('id')
        .where('id', 'in', ids)
        .where('acknowledged_at', 'is', null)
        .orderBy('kind')
        .orderBy('subject')
        .forUpdate(),
    )
    .updateTable('alerts')
    .set({ acknowledged_at: now, acknowledged_by: by })
    .where('id', 'in', (query) => query.selectFrom('chosen').select('chosen.id'))
    .returningAll()
    .execute()
