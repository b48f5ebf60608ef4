import type { AdminUser } from '@trunkline/contract/admin-users'
import { pickFields, userFieldNames } from '@trunkline/contract/user-fields'
import { micros, toWireNumber } from '@trunkline/domain/money'
import type { ListedUser } from './list-store.ts'

/** Converts a row to an API answer for administrators, without the password. */
export const viewAdminUser = (row: Omit<ListedUser, 'place'>): AdminUser => ({
  id: row.id,
  ...pickFields(row, userFieldNames),
  is_admin: row.is_admin,
  is_premium: row.is_premium,
  is_disabled: row.disabled_at !== null,
  tags: row.tags,
  bal: toWireNumber(micros(row.balance_micros)),
  held: toWireNumber(micros(row.held_micros)),
  createdAt: row.created_at.toISOString(),
  version: row.version,
})
