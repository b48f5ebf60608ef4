import type { AllUsers, Owner } from '@trunkline/domain/access'
import { sql } from 'kysely'
import { type CsvFile, escapeFormula, isoTimestampOf } from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import { ofOwner } from '../../../platform/rows.ts'
import { idOfUser } from '../users/store.ts'

export type AuditRecord = {
  actorId: number
  /** For example `payment.refund` or `balance.adjust`. */
  action: string
  /** For example `payment 17`. */
  subject: string
  userId?: number | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason?: string | null
}

export const insertAuditRecord = (db: Database, record: AuditRecord, now: Date): Promise<void> =>
  insertAuditRecords(db, [record], now)

/** Rows per statement, far below the limit of 65,535 parameters. */
const BATCH = 1_000

export async function insertAuditRecords(
  db: Database,
  records: readonly AuditRecord[],
  now: Date,
): Promise<void> {
  for (let from = 0; from < records.length; from += BATCH)
    await db
      .insertInto('audit_log')
      .values(
        records.slice(from, from + BATCH).map((record) => ({
          at: now,
          actor_id: record.actorId,
          action: record.action,
          subject: record.subject,
          user_id: record.userId ?? null,
          before: record.before && JSON.stringify(record.before),
          after: record.after && JSON.stringify(record.after),
          reason: record.reason ?? null,
        })),
      )
      .execute()
}

export type AuditFilter = {
  by?: number | undefined
  user?: number | undefined
  username?: string | undefined
  action?: string | undefined
  subject?: string | undefined
  from?: string | undefined
  to?: string | undefined
}
export type AuditPage = AuditFilter & { before?: number | undefined; limit: number }

/** Ordered by time, like the indexes, then by id. */
const entriesThatFit = (db: Database, owner: Owner, filter: AuditFilter) =>
  db
    .selectFrom('audit_log')
    .innerJoin('users as actor', 'actor.id', 'audit_log.actor_id')
    .leftJoin('users as customer', 'customer.id', 'audit_log.user_id')
    .where(ofOwner(owner, 'audit_log.user_id'))
    .$if(filter.by !== undefined, (query) => query.where('audit_log.actor_id', '=', filter.by ?? 0))
    .$if(filter.user !== undefined, (query) => query.where('audit_log.user_id', '=', filter.user ?? 0))
    .$if(filter.username !== undefined, (query) =>
      query.where('audit_log.user_id', '=', idOfUser(db, owner, filter.username ?? '')),
    )
    .$if(filter.action !== undefined, (query) => query.where('audit_log.action', '=', filter.action ?? ''))
    .$if(Boolean(filter.subject), (query) => query.where('audit_log.subject', '=', filter.subject ?? ''))
    .$if(filter.from !== undefined, (query) =>
      query.where('audit_log.at', '>=', sql<Date>`${filter.from}::timestamptz`),
    )
    .$if(filter.to !== undefined, (query) =>
      query.where('audit_log.at', '<', sql<Date>`${filter.to}::timestamptz`),
    )
    .orderBy('audit_log.at', 'desc')
    .orderBy('audit_log.id', 'desc')

export const listAuditRecords = (db: Database, owner: Owner, { before, limit, ...filter }: AuditPage) =>
  entriesThatFit(db, owner, filter)
    .selectAll('audit_log')
    .select(['actor.username as actor_name', 'customer.username as customer_name'])
    .$if(before !== undefined, (query) =>
      query.where(
        sql<boolean>`(audit_log.at, audit_log.id) < (select at, id from audit_log where id = ${before}::bigint)`,
      ),
    )
    .limit(limit)
    .execute()

/** Distinct actions by a loose index scan: one step per action instead of one per entry. */
export async function listActions(db: Database, _scope: AllUsers): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive each as (
      (select action from audit_log order by action limit 1)
      union all
      select (select action from audit_log where action > each.action order by action limit 1)
        from each where each.action is not null)
    select action from each where action is not null`.execute(db)
  return rows.map(({ action }) => action)
}

export async function listActors(
  db: Database,
  _scope: AllUsers,
): Promise<{ id: number; username: string }[]> {
  const { rows } = await sql<{ id: number; username: string }>`
    with recursive each as (
      (select actor_id from audit_log order by actor_id limit 1)
      union all
      select (select actor_id from audit_log where actor_id > each.actor_id order by actor_id limit 1)
        from each where each.actor_id is not null)
    select users.id, users.username from each join users on users.id = each.actor_id
     order by lower(users.username)`.execute(db)
  return rows
}

/** Name and SQL expression of each column. */
const COLUMNS = [
  ['at', isoTimestampOf('audit_log.at')],
  ['by', escapeFormula('actor.username')],
  ['action', 'audit_log.action'],
  ['subject', escapeFormula('audit_log.subject')],
  ['user', escapeFormula('customer.username')],
  ['before', 'audit_log.before'],
  ['after', 'audit_log.after'],
  ['reason', escapeFormula('audit_log.reason')],
] as const

export const auditFile = (db: Database, owner: Owner, filter: AuditFilter): CsvFile => ({
  columns: COLUMNS,
  query: entriesThatFit(db, owner, filter)
    .select(COLUMNS.map(([name, column]) => sql.raw<unknown>(column).as(name)))
    .compile(),
})
