import type { CallerId } from '@trunkline/contract/caller-ids'
import { Refusal } from '@trunkline/contract/errors'
import { type Caller, ownDataOf } from '@trunkline/domain/access'
import type { CallerIdPolicy } from '@trunkline/domain/callcontrol'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import { findUserById } from '../../identity/users/store.ts'
import { callerIdPending, PENDING_ALERT, subjectOf } from './alert.ts'
import { findDecision, requestCallerId, withdrawOthers } from './requests-store.ts'
import { findCallerId, isRented, saveCallerId } from './store.ts'

export type CallerIds = ReturnType<typeof createCallerIds>

type Given = { callerid: string; countrycode: string; name?: string | undefined }

export function createCallerIds(
  db: Database,
  clock: Clock,
  alerts: Pick<Alerts, 'raiseWithin' | 'closeWithin'>,
  policy: CallerIdPolicy,
) {
  const isApprovalNeeded = policy === 'approved'

  async function approvalOf(caller: Caller, callerid: string): Promise<CallerId['approval']> {
    if (await isRented(db, ownDataOf(caller), caller.userId, callerid))
      return { state: 'approved', note: '', decided_at: null }
    const decision = await findDecision(db, ownDataOf(caller), caller.userId, callerid)
    return {
      state: decision?.state ?? 'pending',
      note: decision?.note ?? '',
      decided_at: decision?.decided_at?.toISOString() ?? null,
    }
  }

  async function own(caller: Caller): Promise<CallerId> {
    const row = await findCallerId(db, ownDataOf(caller), caller.userId)
    return {
      callerid: row?.callerid ?? null,
      countrycode: row?.countrycode ?? '',
      name: row?.name ?? '',
      approval: row && isApprovalNeeded ? await approvalOf(caller, row.callerid) : null,
    }
  }

  return {
    own,

    async set(caller: Caller, { callerid, countrycode, name }: Given): Promise<CallerId> {
      const owner = ownDataOf(caller)
      const user = await findUserById(db, owner, caller.userId)
      if (!user) throw new Refusal('session_expired')
      const given = { callerid, countrycode, name: name ?? user.username }
      await db.transaction().execute(async (tx) => {
        await saveCallerId(tx, owner, user.id, given, clock.now())
        const isProven = await isRented(tx, owner, user.id, callerid)
        if (isProven) await withdrawOthers(tx, owner, user.id, callerid)
        const state = isProven ? 'approved' : await requestCallerId(tx, owner, user.id, callerid, clock.now())
        if (!isApprovalNeeded) return
        if (state === 'pending') await alerts.raiseWithin(tx, [callerIdPending(user.id, callerid)])
        else await alerts.closeWithin(tx, { kind: PENDING_ALERT, subjects: [subjectOf(user.id)] })
      })
      return own(caller)
    },
  }
}
