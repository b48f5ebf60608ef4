import { type AlertTopic, alertTopics } from '@trunkline/contract/alert-topics'
import type { Alert } from '@trunkline/contract/alerts'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { Audit } from '../audit/service.ts'
import { viewOwnAlert } from './service.ts'
import {
  type AlertFilter,
  type AlertRow,
  acknowledgeAlerts,
  countOpenAlerts,
  findAlert,
  listAlerts,
} from './store.ts'

type AskedAlerts = Omit<AlertFilter, 'kinds'> & { topic?: AlertTopic | undefined; kind?: string | undefined }

export type AlertAdministration = ReturnType<typeof createAlertAdministration>

export function createAlertAdministration(db: Database, clock: Clock, audit: Audit) {
  return {
    async list(caller: Caller, { topic, kind, ...filter }: AskedAlerts) {
      const owner = everyonesData(caller)
      const kinds = kind !== undefined ? [kind] : topic && alertTopics[topic].kinds
      const rows = await listAlerts(db, owner, { ...filter, kinds, limit: filter.limit + 1 })
      const { shown, next } = pageOf(rows, filter.limit, ({ id }) => id)
      return { alerts: shown.map(viewAlert), open: await countOpenAlerts(db, owner), next }
    },

    /** Returns the first acknowledgment if the alert is already acknowledged. */
    acknowledge: (caller: Caller, id: number): Promise<Alert> =>
      db.transaction().execute(async (tx) => {
        await acknowledgeAll(tx, caller, [id])
        return viewAlert(requireFound(await findAlert(tx, everyonesData(caller), id)))
      }),

    /** Returns the number of alerts that were still open. */
    acknowledgeMany: (caller: Caller, ids: readonly number[]): Promise<number> =>
      db.transaction().execute((tx) => acknowledgeAll(tx, caller, ids)),
  }

  async function acknowledgeAll(tx: Database, caller: Caller, ids: readonly number[]): Promise<number> {
    const rows = await acknowledgeAlerts(tx, everyonesData(caller), ids, caller.userId, clock.now())
    for (const { id, user_id: userId, kind, subject, message, times } of rows)
      await audit.write(tx, caller, {
        action: 'alert.acknowledge',
        subject: `alert ${id}`,
        userId,
        before: null,
        after: { kind, subject, message, times },
      })
    return rows.length
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
