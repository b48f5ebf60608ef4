import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import type { GuardChange } from '@trunkline/contract/guards'
import { ownMessages } from '@trunkline/contract/messages'
import { type Caller, everyonesData, ownDataOf } from '@trunkline/domain/access'
import { effectiveGuards, isLoosened } from '@trunkline/domain/guards'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { requireUnchanged } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { lockUser } from '../../identity/users/store.ts'
import { loosenedFields } from './loosened.ts'
import { readGuardsOfUser } from './of-user.ts'
import { findGuardLayers, saveGuardLayer } from './store.ts'
import { changed, layerOf, viewGuards, viewLayer } from './view.ts'

export type GuardSettings = ReturnType<typeof createGuardSettings>

type OwnGuards = AnswerOf<'GET /api/user/guards'>
type GuardsOfUser = AnswerOf<'GET /api/admin/users/:id/guards'>

/** Limits of accounts, set by administrators and customers. */
export function createGuardSettings(db: Database, clock: Clock, audit: Audit) {
  async function own(handle: Database, caller: Caller): Promise<OwnGuards> {
    const rows = await findGuardLayers(handle, ownDataOf(caller), caller.userId)
    const [admin, customer] = [layerOf(rows.admin), layerOf(rows.customer)]
    return {
      effective: viewGuards(effectiveGuards(admin, customer)),
      ceiling: viewGuards(effectiveGuards(admin, null)),
      own: viewLayer(customer),
    }
  }

  return {
    own: (caller: Caller): Promise<OwnGuards> => own(db, caller),

    /** Removing a limit loosens it, which requires a confirmed password. */
    tighten: (caller: Caller, change: GuardChange, isProven: boolean): Promise<OwnGuards> =>
      db.transaction().execute(async (tx) => {
        const owner = ownDataOf(caller)
        await lockUser(tx, owner, caller.userId)
        const { admin, customer } = await findGuardLayers(tx, owner, caller.userId)
        const values = changed(customer, change)
        const faults = loosenedFields(layerOf(admin), layerOf(values), change).map((field) => ({
          field,
          message: ownMessages.guardTooLoose,
        }))
        if (faults.length > 0) throw new Refusal('invalid_input', ownMessages.guardTooLoose, faults)
        const before = effectiveGuards(layerOf(admin), layerOf(customer))
        if (!isProven && isLoosened(before, effectiveGuards(layerOf(admin), layerOf(values))))
          throw new Refusal('password_needed')
        await saveGuardLayer(tx, owner, caller.userId, 'customer', values, clock.now())
        return own(tx, caller)
      }),

    ofUser: (caller: Caller, userId: number): Promise<GuardsOfUser> =>
      readGuardsOfUser(db, everyonesData(caller), userId),

    set: (
      caller: Caller,
      userId: number,
      { updated_at, ...change }: GuardChange & { updated_at?: string | null | undefined },
      isProven: boolean,
    ): Promise<GuardsOfUser> =>
      db.transaction().execute(async (tx) => {
        const owner = everyonesData(caller)
        await lockUser(tx, owner, userId)
        const before = await readGuardsOfUser(tx, owner, userId)
        requireUnchanged(before.updated_at, updated_at)
        const { admin } = await findGuardLayers(tx, owner, userId)
        const values = changed(admin, change)
        if (
          !isProven &&
          isLoosened(effectiveGuards(layerOf(admin), null), effectiveGuards(layerOf(values), null))
        )
          throw new Refusal('password_needed')
        await saveGuardLayer(tx, owner, userId, 'admin', values, clock.now())
        const after = await readGuardsOfUser(tx, owner, userId)
        await audit.write(tx, caller, {
          action: 'guards.update',
          subject: `guards of user ${userId}`,
          userId,
          before: before.admin,
          after: after.admin,
        })
        return after
      }),
  }
}
