import type { RequestOf } from '@trunkline/contract'
import type { AdminUser } from '@trunkline/contract/admin-users'
import type { FieldFault } from '@trunkline/contract/errors'
import { normalHost } from '@trunkline/contract/hosts'
import { HOST_MIN, USERNAME_PATTERN } from '@trunkline/contract/limits'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { toMicros } from '../../common/dollars.ts'
import { exactDollars } from '../../common/prices.ts'

type Edit = RequestOf<'PATCH /api/admin/user/update'>['body']

/** What the form shows of a user, as one types it. */
export type Typed = {
  email: string
  username: string
  name: string
  company: string
  country: string
  home_country: string
  host: string
  websiteip: string
  bal: string
  is_premium: boolean
  is_admin: boolean
}
export type FieldName = keyof Typed
export type Faults = Partial<Record<FieldName | 'reason', string>>

export const labels: Readonly<Record<FieldName, string>> = {
  username: 'Username',
  email: 'Email',
  name: 'Name',
  company: 'Company',
  country: 'Country',
  home_country: 'Home country',
  host: 'Host',
  websiteip: 'Website IP',
  bal: 'Balance',
  is_premium: 'Premium',
  is_admin: 'Administrator',
}
const fields = Object.keys(labels) as FieldName[]

export const typedFrom = (user: AdminUser): Typed => ({
  email: user.email ?? '',
  username: user.username,
  name: user.name ?? '',
  company: user.company ?? '',
  country: user.country ?? '',
  home_country: user.home_country ?? '',
  host: user.host,
  websiteip: user.websiteip ?? '',
  bal: String(user.bal),
  is_premium: user.is_premium,
  is_admin: user.is_admin,
})

const isSame = (field: FieldName, one: Typed, other: Typed): boolean => {
  const [a, b] = [one[field], other[field]]
  if (field === 'bal') return toMicros(Number(a)) === toMicros(Number(b)) && String(a).trim() !== ''
  return typeof a === 'string' ? a.trim() === String(b).trim() : a === b
}

/** The fields that somebody has changed. Balances are compared as numbers, all else as it is written. */
export const changedFields = (typed: Typed, user: AdminUser): FieldName[] =>
  fields.filter((field) => !isSame(field, typed, typedFrom(user)))

export function faultsIn(typed: Typed, changed: readonly FieldName[], reason: string): Faults {
  const faults: Faults = {}
  const username = typed.username.trim()
  const balance = typed.bal.trim() === '' ? null : toMicros(Number(typed.bal))
  if (username === '') faults.username = messages.fillInAllFields
  else if (!USERNAME_PATTERN.test(username)) faults.username = ownMessages.usernameCharacters
  if (typed.host.trim().length < HOST_MIN) faults.host = messages.hostTooShort
  else if (normalHost(typed.host) === null) faults.host = ownMessages.hostInvalid
  if (typed.websiteip.trim() !== '' && normalHost(typed.websiteip) === null)
    faults.websiteip = ownMessages.websiteIpInvalid
  if (balance === null) faults.bal = ownMessages.amountInvalid
  if (changed.includes('bal') && reason.trim() === '') faults.reason = ownMessages.reasonMissing
  // What was not touched is not for this form to find fault with.
  return Object.fromEntries(
    Object.entries(faults).filter(([name]) => name === 'reason' || changed.includes(name as FieldName)),
  )
}

/** Only what was changed, and what it was decided on. */
export function editOf(
  typed: Typed,
  user: AdminUser,
  changed: readonly FieldName[],
  { reason, requestKey }: { reason: string; requestKey: string },
): Edit {
  const values = Object.fromEntries(
    changed.map((field) => {
      const value = typed[field]
      return [field, field === 'bal' ? Number(value) : typeof value === 'string' ? value.trim() : value]
    }),
  )
  return {
    id: user.id,
    version: user.version,
    ...values,
    ...(changed.includes('bal') && { bal_was: user.bal, reason, request_key: requestKey }),
  }
}

const shown = (field: FieldName, user: AdminUser): string => {
  const value = typedFrom(user)[field]
  if (field === 'bal') return exactDollars(user.bal)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value || 'empty'
}

/** After somebody else was faster: theirs where this form was not touched, what was typed where it was, and what they changed. */
export function rebase(
  typed: Typed,
  before: AdminUser,
  now: AdminUser,
): { typed: Typed; theirs: { label: string; was: string; is: string }[] } {
  const touched = changedFields(typed, before)
  const kept = Object.fromEntries(touched.map((field) => [field, typed[field]]))
  const theirs = fields
    .filter((field) => !isSame(field, typedFrom(before), typedFrom(now)))
    .map((field) => ({ label: labels[field], was: shown(field, before), is: shown(field, now) }))
  return { typed: { ...typedFrom(now), ...kept }, theirs }
}

export const faultsFrom = (found: readonly FieldFault[]): Faults =>
  Object.fromEntries(found.map(({ field, message }) => [field, message]))
