import type { UserHealth } from '@trunkline/contract/admin-users'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import {
  balanceDays,
  failedPercent,
  type HealthFigures,
  type HealthReason,
  healthReasons,
  spendChangePercent,
} from '@trunkline/domain/health'
import { micros, toWireNumber } from '@trunkline/domain/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import { findUserById } from '../../identity/users/store.ts'
import { type HealthRow, readHealth } from './health-store.ts'

export type CustomerHealth = ReturnType<typeof createCustomerHealth>

/** Signs that a customer needs attention, from the totals of calls by day. Disabled users have none. */
export function createCustomerHealth(db: Database, clock: Clock) {
  return {
    async reasonsOf(caller: Caller, userIds: readonly number[]): Promise<Map<number, HealthReason[]>> {
      const rows = await readHealth(db, everyonesData(caller), userIds, clock.now())
      return new Map([...rows].map(([id, row]) => [id, healthReasons(figuresOf(row))]))
    },

    async ofUser(caller: Caller, id: number): Promise<{ health: UserHealth | null }> {
      const scope = everyonesData(caller)
      requireFound(await findUserById(db, scope, id))
      const row = (await readHealth(db, scope, [id], clock.now())).get(id)
      return { health: row ? view(figuresOf(row)) : null }
    },
  }
}

const figuresOf = (row: HealthRow): HealthFigures => ({
  spendMicros: micros(row.spend),
  spendBeforeMicros: micros(row.spend_before),
  calls: row.calls,
  failed: row.failed,
  callsBefore: row.calls_before,
  failedBefore: row.failed_before,
  openTickets: row.open_tickets,
  ticketMinutes: row.ticket_minutes,
  availableMicros: micros(row.available),
})

const view = (figures: HealthFigures): UserHealth => ({
  reasons: healthReasons(figures),
  spend: toWireNumber(figures.spendMicros),
  spend_before: toWireNumber(figures.spendBeforeMicros),
  spend_change_percent: spendChangePercent(figures),
  calls: figures.calls,
  failed_percent: failedPercent(figures.calls, figures.failed),
  failed_percent_before: failedPercent(figures.callsBefore, figures.failedBefore),
  open_tickets: figures.openTickets,
  oldest_ticket_minutes: figures.ticketMinutes,
  balance_days: balanceDays(figures),
})
