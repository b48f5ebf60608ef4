import type { RequestOf } from '@trunkline/contract'
import type { AdminUser } from '@trunkline/contract/admin-users'
import { normalHost } from '@trunkline/contract/hosts'
import { HOST_MIN, USERNAME_PATTERN } from '@trunkline/contract/limits'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { type UserField, userFieldNames, userFields } from '@trunkline/contract/user-fields'
import { toMicros } from '../../common/dollars.ts'
import { formatExactMoney } from '../../common/format/money.ts'
import { type Comparison, changedFields } from '../../common/forms/conflict.ts'
import type { FieldErrors } from '../../common/forms/use-form.ts'

type Edit = RequestOf<'PATCH /api/admin/user/update'>['body']

/** A user as the form holds it. A new balance needs a reason. */
export type UserValues = Record<UserField, string> & {
  bal: string
  reason: string
  is_premium: boolean
  is_admin: boolean
}
type FieldName = keyof UserValues

const textLabels = Object.fromEntries(userFieldNames.map((name) => [name, userFields[name].label]))

export const labels: Readonly<Record<FieldName, string>> = {
  ...(textLabels as Record<UserField, string>),
  bal: 'Balance',
  reason: 'Reason for the new balance',
  is_premium: 'Premium',
  is_admin: 'Administrator',
}

export const valuesOf = (user: AdminUser): UserValues => ({
  ...(Object.fromEntries(userFieldNames.map((name) => [name, user[name] ?? ''])) as Record<
    UserField,
    string
  >),
  bal: String(user.bal),
  reason: '',
  is_premium: user.is_premium,
  is_admin: user.is_admin,
})

/** Balances are compared as numbers, texts without surrounding spaces. */
export const comparison: Comparison<UserValues> = {
  labels,
  isSame: (name, left, right) => {
    const [a, b] = [left[name], right[name]]
    if (name === 'bal') return toMicros(Number(a)) === toMicros(Number(b)) && String(a).trim() !== ''
    return typeof a === 'string' ? a.trim() === String(b).trim() : a === b
  },
  show: (name, values) => {
    const value = values[name]
    if (name === 'bal') return formatExactMoney(Number(value))
    return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value || 'None'
  },
}

export const changesOf = (values: UserValues, user: AdminUser): FieldName[] =>
  changedFields(valuesOf(user), values, comparison).filter((name) => name !== 'reason')

/** Only changed fields are checked. */
export function validateUser(values: UserValues, user: AdminUser): FieldErrors<FieldName> {
  const changed = changesOf(values, user)
  const errors: FieldErrors<FieldName> = {}
  const username = values.username.trim()
  const balance = values.bal.trim() === '' ? null : toMicros(Number(values.bal))
  if (username === '') errors.username = messages.fillInAllFields
  else if (!USERNAME_PATTERN.test(username)) errors.username = ownMessages.usernameCharacters
  if (values.host.trim().length < HOST_MIN) errors.host = messages.hostTooShort
  else if (normalHost(values.host) === null) errors.host = ownMessages.hostInvalid
  if (values.websiteip.trim() !== '' && normalHost(values.websiteip) === null)
    errors.websiteip = ownMessages.websiteIpInvalid
  if (balance === null) errors.bal = ownMessages.amountInvalid
  if (changed.includes('bal') && values.reason.trim() === '') errors.reason = ownMessages.reasonMissing
  return Object.fromEntries(
    Object.entries(errors).filter(([name]) => name === 'reason' || changed.includes(name as FieldName)),
  )
}

/** Sends only what was changed, with the version and the balance that the change is based on. */
export function editOf(values: UserValues, user: AdminUser, requestKey: string): Edit {
  const changed = changesOf(values, user)
  const edited = Object.fromEntries(
    changed.map((name) => {
      const value = values[name]
      return [name, name === 'bal' ? Number(value) : typeof value === 'string' ? value.trim() : value]
    }),
  )
  return {
    id: user.id,
    version: user.version,
    ...edited,
    ...(changed.includes('bal') && { bal_was: user.bal, reason: values.reason, request_key: requestKey }),
  }
}
