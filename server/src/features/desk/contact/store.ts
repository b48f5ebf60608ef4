import type { ContactRequest } from '@trunkline/contract/contact'
import type { AllUsers } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'
import { beforeId, countRows, updatesRow } from '../../../platform/rows.ts'

export async function insertContactRequest(
  db: Database,
  request: ContactRequest,
  address: string,
  now: Date,
): Promise<void> {
  await db
    .insertInto('contact_requests')
    .values({ ...request, address, created_at: now })
    .execute()
}

export type ContactRequestRow = Awaited<ReturnType<typeof listContactRequests>>[number]
export type ContactRequestFilter = { before?: number | undefined; limit: number; state: 'open' | 'handled' }

const requests = (db: Database) =>
  db
    .selectFrom('contact_requests')
    .leftJoin('users as clerk', 'clerk.id', 'contact_requests.handled_by')
    .selectAll('contact_requests')
    .select('clerk.username as clerk_name')

export const listContactRequests = (db: Database, _scope: AllUsers, filter: ContactRequestFilter) =>
  requests(db)
    .where('handled_at', filter.state === 'open' ? 'is' : 'is not', null)
    .where(beforeId('contact_requests.id', filter.before))
    .orderBy('contact_requests.id', 'desc')
    .limit(filter.limit)
    .execute()

export const findContactRequest = (
  db: Database,
  _scope: AllUsers,
  id: number,
): Promise<ContactRequestRow | undefined> =>
  requests(db).where('contact_requests.id', '=', id).executeTakeFirst()

export const countUnhandled = (db: Database): Promise<number> =>
  countRows(db.selectFrom('contact_requests').where('handled_at', 'is', null))

/** False if nothing changed. */
export const setHandled = (
  db: Database,
  id: number,
  handled: { at: Date; by: number } | null,
): Promise<boolean> =>
  updatesRow(
    db
      .updateTable('contact_requests')
      .set({ handled_at: handled?.at ?? null, handled_by: handled?.by ?? null })
      .where('id', '=', id)
      .where('handled_at', handled ? 'is' : 'is not', null),
  )
