import type { Readable } from 'node:stream'
import type { AuditEntry } from '@trunkline/contract/audit-log'
import { type Caller, everyonesData, requireAdmin } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Exports } from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { namedUser } from '../users/named-user.ts'
import {
  type AuditFilter,
  type AuditPage,
  type AuditRecord,
  auditFile,
  insertAuditRecord,
  insertAuditRecords,
  listActions,
  listActors,
  listAuditRecords,
} from './store.ts'

export type Audit = ReturnType<typeof createAudit>

/** Audit entries of administrators: action, values before and after, and reason. Written in the transaction of the action. */
export function createAudit(db: Database, clock: Clock, exports: Exports) {
  return {
    /** `handle` is the transaction of the action. */
    async write(handle: Database, caller: Caller, record: Omit<AuditRecord, 'actorId'>): Promise<void> {
      requireAdmin(caller)
      await insertAuditRecord(handle, { ...record, actorId: caller.userId }, clock.now())
    },

    /** Who has opened private data. Customers open their own, so they are written too. */
    async writeAccess(handle: Database, caller: Caller, record: Omit<AuditRecord, 'actorId'>): Promise<void> {
      await insertAuditRecord(handle, { ...record, actorId: caller.userId }, clock.now())
    },

    async writeAll(
      handle: Database,
      caller: Caller,
      records: readonly Omit<AuditRecord, 'actorId'>[],
    ): Promise<void> {
      requireAdmin(caller)
      const written = records.map((record) => ({ ...record, actorId: caller.userId }))
      await insertAuditRecords(handle, written, clock.now())
    },

    async list(caller: Caller, filter: AuditPage) {
      const rows = await listAuditRecords(db, everyonesData(caller), { ...filter, limit: filter.limit + 1 })
      const { shown, next } = pageOf(rows, filter.limit, (row) => Number(row.id))
      const entries = shown.map(
        (row): AuditEntry => ({
          id: Number(row.id),
          at: row.at.toISOString(),
          by: { id: row.actor_id, username: row.actor_name },
          action: row.action,
          subject: row.subject,
          user: namedUser(row.user_id, row.customer_name),
          before: row.before,
          after: row.after,
          reason: row.reason,
        }),
      )
      return { entries, next }
    },

    async choices(caller: Caller) {
      const owner = everyonesData(caller)
      return { actors: await listActors(db, owner), actions: await listActions(db, owner) }
    },

    csv: (caller: Caller, filter: AuditFilter): Promise<Readable> =>
      exports.begin(caller.userId, auditFile(db, everyonesData(caller), filter)),
  }
}
