import type { EmergencyRoute } from '@trunkline/contract/emergency-route'
import { Refusal } from '@trunkline/contract/errors'
import { type Caller, requireAdmin } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Audit } from '../../identity/audit/service.ts'
import {
  deleteEmergencyRoute,
  findEmergencyRoute,
  holdTrunk,
  lockEmergencyRoute,
  saveEmergencyRoute,
} from './store.ts'

export type EmergencyRoutes = ReturnType<typeof createEmergencyRoutes>

type Wanted = { trunk_id: number; sent_as: string | null; callerid: string }

/** The trunk for emergency calls. Call control gets changes by notification. */
export function createEmergencyRoutes(db: Database, clock: Clock, audit: Audit) {
  async function read(handle: Database): Promise<EmergencyRoute | null> {
    const row = await findEmergencyRoute(handle)
    if (!row) return null
    const { trunk_id, trunk_name, sent_as, caller_id: callerid } = row
    return { trunk_id, trunk_name, trunk_is_active: row.trunk_status === 'active', sent_as, callerid }
  }

  const change = (caller: Caller, make: (tx: Database) => Promise<void>) =>
    db.transaction().execute(async (tx) => {
      requireAdmin(caller)
      await lockEmergencyRoute(tx)
      const before = await read(tx)
      await make(tx)
      const after = await read(tx)
      if (JSON.stringify(before) === JSON.stringify(after)) return after
      await audit.write(tx, caller, {
        action: 'emergency_route.update',
        subject: 'emergency calls',
        before,
        after,
      })
      return after
    })

  return {
    async read(caller: Caller): Promise<EmergencyRoute | null> {
      requireAdmin(caller)
      return read(db)
    },

    set: (
      caller: Caller,
      { trunk_id, sent_as, callerid: caller_id }: Wanted,
    ): Promise<EmergencyRoute | null> =>
      change(caller, async (tx) => {
        if (!(await holdTrunk(tx, trunk_id))) throw new Refusal('not_found')
        await saveEmergencyRoute(tx, { trunk_id, sent_as, caller_id, updated_at: clock.now() })
      }),

    remove: (caller: Caller): Promise<EmergencyRoute | null> => change(caller, deleteEmergencyRoute),
  }
}
