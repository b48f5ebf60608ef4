import type { User } from '@trunkline/contract/accounts'
import { pickFields, userFieldNames } from '@trunkline/contract/user-fields'
import { micros, toWireNumber } from '@trunkline/domain/money'
import type { UserWithBalance } from './store.ts'

/** Converts a row to an API answer, without the password. */
export const viewUser = (row: UserWithBalance): User => ({
  id: row.id,
  ...pickFields(row, userFieldNames),
  websiteip: row.shown_websiteip,
  is_admin: row.is_admin,
  is_premium: row.is_premium,
  bal: toWireNumber(micros(row.balance_micros)),
  held: toWireNumber(micros(row.held_micros)),
  createdAt: row.created_at.toISOString(),
})
