import type { Registration, Switch } from '@trunkline/contract/registrations'
import { type Caller, everyonesData, type Owner, ownDataOf } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { listRegistrations, listSwitches } from './store.ts'

export type Registrations = ReturnType<typeof createRegistrations>

/** Registered phones, and the state of the switches. */
export function createRegistrations(db: Database, clock: Clock) {
  async function list(owner: Owner, userId: number): Promise<Registration[]> {
    const rows = await listRegistrations(db, owner, userId, clock.now())
    return rows.map((row) => ({
      contact: row.contact,
      address: row.address,
      device: row.device,
      registered_at: row.registered_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
    }))
  }

  return {
    own: (caller: Caller): Promise<Registration[]> => list(ownDataOf(caller), caller.userId),

    ofUser: (caller: Caller, userId: number): Promise<Registration[]> => list(everyonesData(caller), userId),

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
