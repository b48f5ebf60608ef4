import { ALERT_TOPICS, alertTopics } from '@trunkline/contract/alert-topics'
import type { OwnAlert } from '@trunkline/contract/alerts'
import { type Caller, ownDataOf, system } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { type AlertRow, type CountedAlert, closeAlerts, countAlerts, listAlerts } from './store.ts'

export type Alerts = ReturnType<typeof createAlerts>

export type NewAlert = {
  /** For example `daily_spend_reached`. Kind and subject identify an open alert. */
  kind: string
  /** For example `user:12` or `trunk:3`. */
  subject: string
  /** The affected customer, who sees the message if the topic is for customers, but never the details. */
  userId: number | null
  message: string
  details?: Record<string, unknown>
}

const kindsForCustomers = ALERT_TOPICS.map((topic) => alertTopics[topic])
  .filter(({ isForCustomer }) => isForCustomer)
  .flatMap(({ kinds }) => kinds)

type Waiting = { alerts: Map<string, CountedAlert>; written: Promise<void> }

/** Alerts for people. A repeated occurrence increases the count of the open alert. */
export function createAlerts(db: Database, clock: Clock) {
  const systemOwner = system('alerts')
  let waiting: Waiting | null = null
  let lastWrite: Promise<unknown> = Promise.resolve()

  /**
   * Batches alerts that arrive during a write, with one row per kind and subject, because a guard can fire a thousand times a
   * second.
   */
  function raise({ details = {}, ...alert }: NewAlert): Promise<void> {
    const { alerts, written } = waiting ?? gather()
    const key = `${alert.kind} ${alert.subject}`
    alerts.set(key, { ...alert, details, times: (alerts.get(key)?.times ?? 0) + 1 })
    return written
  }

  function gather(): Waiting {
    const alerts = new Map<string, CountedAlert>()
    const write = () => {
      waiting = null
      return countAlerts(db, [...alerts.values()], clock.now())
    }
    const written = lastWrite.then(write, write)
    lastWrite = written
    waiting = { alerts, written }
    return waiting
  }

  return {
    raise,
    /** Writes alerts in the transaction of their cause. */
    raiseWithin: (tx: Database, alerts: readonly NewAlert[]): Promise<void> =>
      countAlerts(
        tx,
        alerts.map((alert) => ({ details: {}, ...alert, times: 1 })),
        clock.now(),
      ),
    /** Closes an alert whose cause is gone. */
    close: (kind: string, subject: string): Promise<void> =>
      closeAlerts(db, systemOwner, { kind, subjects: [subject] }, clock.now()),
    closeWithin: (tx: Database, closed: Parameters<typeof closeAlerts>[2]): Promise<void> =>
      closeAlerts(tx, systemOwner, closed, clock.now()),

    async own(caller: Caller, page: { before?: number | undefined; limit: number }) {
      const filter = { ...page, state: 'all', kinds: kindsForCustomers, limit: page.limit + 1 } as const
      const rows = await listAlerts(db, ownDataOf(caller), filter)
      const { shown, next } = pageOf(rows, page.limit, ({ id }) => id)
      return { alerts: shown.map(viewOwnAlert), next }
    },
  }
}

export const viewOwnAlert = (row: AlertRow): OwnAlert => ({
  id: row.id,
  kind: row.kind,
  message: row.message,
  times: row.times,
  first_at: row.first_at.toISOString(),
  last_at: row.last_at.toISOString(),
  acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
})
