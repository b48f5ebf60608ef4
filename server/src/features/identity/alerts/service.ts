import { ALERT_TOPICS, alertTopics } from '@trunkline/contract/alert-topics'
import type { OwnAlert } from '@trunkline/contract/alerts'
import { type Caller, ownDataOf, system } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { type AlertRow, type CountedAlert, closeAlerts, countAlerts, listAlerts } from './store.ts'

export type Alerts = ReturnType<typeof createAlerts>

export type NewAlert = {
  /** What happened, such as `daily_spend_reached`; with the subject it makes an alert the same. */
  kind: string
  /** What it is about: `user:12`, `trunk:3`. */
  subject: string
  /** The customer it concerns: they see its message too where its topic is for customers, never its details. */
  userId: number | null
  message: string
  details?: Record<string, unknown>
}

const kindsForCustomers = ALERT_TOPICS.map((topic) => alertTopics[topic])
  .filter(({ isForCustomer }) => isForCustomer)
  .flatMap(({ kinds }) => kinds)

type Waiting = { alerts: Map<string, CountedAlert>; written: Promise<void> }

/** Things a person should know. While one is open, the same thing again only counts up. */
export function createAlerts(db: Database, clock: Clock) {
  const systemOwner = system('alerts')
  let waiting: Waiting | null = null
  let lastWrite: Promise<unknown> = Promise.resolve()

  /**
   * A guard may fire a thousand times a second: what is raised while a write is under way waits for it and is written
   * together, each kind and subject once.
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
    /** As part of the transaction of its cause: both or neither. */
    raiseWithin: (tx: Database, alerts: readonly NewAlert[]): Promise<void> =>
      countAlerts(
        tx,
        alerts.map((alert) => ({ details: {}, ...alert, times: 1 })),
        clock.now(),
      ),
    /** What it was about is over. */
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
