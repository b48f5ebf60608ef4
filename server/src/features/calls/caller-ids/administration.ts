import type { CallerIdRequest } from '@trunkline/contract/caller-ids'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import type { CallerIdPolicy } from '@trunkline/domain/callcontrol'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { PENDING_ALERT, subjectOf } from './alert.ts'
import {
  countPending,
  decideRequest,
  findRequest,
  listRequests,
  lockRequest,
  type RequestFilter,
  type RequestRow,
} from './requests-store.ts'

export type CallerIdAdministration = ReturnType<typeof createCallerIdAdministration>

type Decision = { state: 'approved' | 'rejected'; note?: string | undefined }

/** Caller ID requests of customers and the decisions of administrators. */
export const createCallerIdAdministration = (
  db: Database,
  clock: Clock,
  audit: Audit,
  alerts: Pick<Alerts, 'closeWithin'>,
  policy: CallerIdPolicy,
) => ({
  async list(caller: Caller, filter: RequestFilter) {
    const owner = everyonesData(caller)
    const rows = await listRequests(db, owner, { ...filter, limit: filter.limit + 1 })
    const { shown, next } = pageOf(rows, filter.limit, ({ id }) => id)
    const pending = await countPending(db, owner)
    return { requests: shown.map(view), next, pending, is_required: policy === 'approved' }
  },

  /** A decision can be changed later. Repeating it changes only the note. */
  decide: (caller: Caller, id: number, { state, note = '' }: Decision): Promise<CallerIdRequest> =>
    db.transaction().execute(async (tx) => {
      const owner = everyonesData(caller)
      await lockRequest(tx, owner, id)
      const before = requireFound(await findRequest(tx, owner, id))
      await decideRequest(tx, owner, id, { state, note, by: caller.userId }, clock.now())
      await alerts.closeWithin(tx, {
        kind: PENDING_ALERT,
        subjects: [subjectOf(before.user_id)],
        by: caller.userId,
      })
      await audit.write(tx, caller, {
        action: state === 'approved' ? 'caller_id.approve' : 'caller_id.reject',
        subject: `user ${before.user_id}`,
        userId: before.user_id,
        reason: note || null,
        before: { callerid: before.callerid, state: before.state },
        after: { callerid: before.callerid, state },
      })
      return view(requireFound(await findRequest(tx, owner, id)))
    }),
})

const view = (row: RequestRow): CallerIdRequest => ({
  id: row.id,
  callerid: row.callerid,
  state: row.state,
  user: { id: row.user_id, username: row.username, company: row.company },
  requested_at: row.requested_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
  decided_by: row.clerk_name,
  note: row.note,
})
