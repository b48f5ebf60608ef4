import type { UserEdit } from '@trunkline/contract/admin-users'
import { userFieldNames } from '@trunkline/contract/user-fields'
import type { UserChange, UserRow } from './store.ts'

const FIELDS = [...userFieldNames, 'is_premium', 'is_admin'] as const

type Fields = Record<string, unknown>

/** The changed fields of an edit, with old and new values for the audit log. Null if nothing changes. */
export function changesOf(
  row: UserRow,
  edit: UserEdit,
): { change: UserChange; before: Fields; after: Fields } | null {
  const changed = FIELDS.filter((field) => edit[field] !== undefined && edit[field] !== row[field])
  if (changed.length === 0) return null
  const pick = (from: Fields): Fields => Object.fromEntries(changed.map((field) => [field, from[field]]))
  const after = pick(edit)
  return { change: after as UserChange, before: pick(row), after }
}
