import type { ContactRequest } from '@trunkline/contract/contact'
import type { Owner } from '@trunkline/domain/access'
import type { Database } from '../../platform/database.ts'

export async function insertContactRequest(
  db: Database,
  _owner: Owner,
  request: ContactRequest,
  address: string,
  now: Date,
): Promise<void> {
  await db
    .insertInto('contact_requests')
    .values({ ...request, address, created_at: now })
    .execute()
}
