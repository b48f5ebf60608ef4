import type { Alert } from '@trunkline/contract/alerts'
import { Refusal } from '@trunkline/contract/errors'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { pageOf } from '../../platform/pages.ts'
import type { Audit } from '../audit/service.ts'
import { viewOwnAlert } from './service.ts'
import {
  type AlertFilter,
  type AlertRow,
  acknowledgeAlert,
  countOpenAlerts,
  findAlert,
  listAlerts,
} from './store.ts'

export type AlertAdministration = ReturnType<typeof createAlertAdministration>

export function createAlertAdministration(db: Database, clock: Clock, audit: Audit) {
  return {
    async list(caller: Caller, filter: AlertFilter) {
      const owner = everyonesData(caller)
      const rows = await listAlerts(db, owner, { ...filter, limit: filter.limit + 1 })
      const { shown, next } = pageOf(rows, filter.limit, ({ id }) => id)
      return { alerts: shown.map(viewAlert), open: await countOpenAlerts(db, owner), next }
    },

    /** Whoever comes second sees who was first. */
    acknowledge: (caller: Caller, id: number): Promise<Alert> =>
      db.transaction().execute(async (tx) => {
        const owner = everyonesData(caller)
        const isFirst = await acknowledgeAlert(tx, owner, id, caller.userId, clock.now())
        const row = await findAlert(tx, owner, id)
        if (!row) throw new Refusal('not_found')
        if (isFirst)
          await audit.write(tx, caller, {
            action: 'alert.acknowledge',
            subject: `alert ${id}`,
            userId: row.user_id,
            before: null,
            after: { kind: row.kind, subject: row.subject, message: row.message, times: row.times },
            reason: null,
          })
        return viewAlert(row)
      }),
  }
}

const personOf = (id: number | null, username: string | null) =>
  id === null || username === null ? null : { id, username }

const viewAlert = (row: AlertRow): Alert => ({
  ...viewOwnAlert(row),
  subject: row.subject,
  user: personOf(row.user_id, row.customer_name),
  details: row.details,
  acknowledged_by: personOf(row.acknowledged_by, row.clerk_name),
})
