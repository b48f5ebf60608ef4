import type { KeptContactRequest } from '@trunkline/contract/contact'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import {
  type ContactRequestFilter,
  type ContactRequestRow,
  countUnhandled,
  findContactRequest,
  listContactRequests,
  setHandled,
} from './store.ts'

export type ContactAdministration = ReturnType<typeof createContactAdministration>

/** Contact requests from the landing page. */
export const createContactAdministration = (db: Database, clock: Clock, audit: Audit) => ({
  async list(caller: Caller, filter: ContactRequestFilter) {
    const owner = everyonesData(caller)
    const rows = await listContactRequests(db, owner, { ...filter, limit: filter.limit + 1 })
    const { shown, next } = pageOf(rows, filter.limit, ({ id }) => id)
    return { requests: shown.map(view), next, open: await countUnhandled(db) }
  },

  /** Returns the first handler if it is already handled. */
  mark: (caller: Caller, id: number, handled: boolean): Promise<KeptContactRequest> =>
    db.transaction().execute(async (tx) => {
      const owner = everyonesData(caller)
      const isNews = await setHandled(tx, id, handled ? { at: clock.now(), by: caller.userId } : null)
      const row = requireFound(await findContactRequest(tx, owner, id))
      if (isNews)
        await audit.write(tx, caller, {
          action: 'contact_request.update',
          subject: `contact request ${id}`,
          userId: null,
          before: { handled: !handled },
          after: { handled, name: row.name, email: row.email },
        })
      return view(row)
    }),
})

const view = (row: ContactRequestRow): KeptContactRequest => ({
  id: row.id,
  name: row.name,
  email: row.email,
  phone: row.phone,
  message: row.message,
  created_at: row.created_at.toISOString(),
  handled_at: row.handled_at?.toISOString() ?? null,
  handled_by: row.clerk_name,
})
