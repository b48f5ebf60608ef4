import type { Registration, Switch } from '@trunkline/contract/registrations'
import { type Caller, everyonesData, ownDataOf } from '@trunkline/domain/access'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { listRegistrations, listSwitches } from './store.ts'

export type Registrations = ReturnType<typeof createRegistrations>

/** What the switches report besides calls: the phones that registered with them, and themselves. */
export function createRegistrations(db: Database, clock: Clock) {
  return {
    async own(caller: Caller): Promise<Registration[]> {
      const rows = await listRegistrations(db, ownDataOf(caller), clock.now())
      return rows.map((row) => ({
        contact: row.contact,
        address: row.address,
        device: row.device,
        registered_at: row.registered_at.toISOString(),
        expires_at: row.expires_at.toISOString(),
      }))
    },

    async switches(caller: Caller): Promise<Switch[]> {
      const rows = await listSwitches(db, everyonesData(caller), clock.now())
      return rows.map((row) => ({
        id: row.switch_id,
        software: row.software,
        started_at: row.started_at.toISOString(),
        last_seen_at: row.last_seen_at.toISOString(),
        live_calls: row.live_calls,
        registrations: row.registrations,
      }))
    },
  }
}
