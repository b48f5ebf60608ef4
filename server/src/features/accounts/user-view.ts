import type { User } from '@trunkline/contract/accounts'
import type { UserRow } from './store.ts'

/** A row as the wire shows it: no password, nothing that is not in the contract. */
export const viewUser = (row: UserRow): User => ({
  id: row.id,
  username: row.username,
  email: row.email,
  name: row.name,
  host: row.host,
  company: row.company,
  country: row.country,
  websiteip: row.websiteip,
  is_admin: row.is_admin,
  is_premium: row.is_premium,
  bal: 0,
  createdAt: row.created_at.toISOString(),
})
