import type { Owner } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

export type AuditRecord = {
  actorId: number
  /** What was done: `payment.refund`, `balance.adjust`, ... */
  action: string
  /** To what: `payment 17`. */
  subject: string
  userId: number | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
}

/** The owner is who the record is written for: nobody writes the log of somebody else's doing. */
export async function insertAuditRecord(
  db: Database,
  _owner: Owner,
  record: AuditRecord,
  now: Date,
): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      at: now,
      actor_id: record.actorId,
      action: record.action,
      subject: record.subject,
      user_id: record.userId,
      before: record.before && JSON.stringify(record.before),
      after: record.after && JSON.stringify(record.after),
      reason: record.reason,
    })
    .execute()
}

export type AuditFilter = {
  before?: number | undefined
  limit: number
  by?: number | undefined
  user?: number | undefined
  action?: string | undefined
}

export const listAuditRecords = (db: Database, owner: Owner, filter: AuditFilter) =>
  db
    .selectFrom('audit_log')
    .innerJoin('users as actor', 'actor.id', 'audit_log.actor_id')
    .leftJoin('users as customer', 'customer.id', 'audit_log.user_id')
    .selectAll('audit_log')
    .select(['actor.username as actor_name', 'customer.username as customer_name'])
    .$if(owner.userId !== null, (query) => query.where('audit_log.user_id', '=', owner.userId))
    .$if(filter.by !== undefined, (query) => query.where('audit_log.actor_id', '=', filter.by ?? 0))
    .$if(filter.user !== undefined, (query) => query.where('audit_log.user_id', '=', filter.user ?? 0))
    .$if(filter.action !== undefined, (query) => query.where('audit_log.action', '=', filter.action ?? ''))
    .$if(filter.before !== undefined, (query) =>
      query.where('audit_log.id', '<', sql<bigint>`${filter.before}::bigint`),
    )
    .orderBy('audit_log.id', 'desc')
    .limit(filter.limit)
    .execute()
