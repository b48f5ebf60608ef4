import type { RequestOf } from '@trunkline/contract'
import type { User } from '@trunkline/contract/accounts'
import type { FieldFault } from '@trunkline/contract/errors'
import { HOST_MIN, PASSWORD_MIN, USERNAME_MAX, USERNAME_PATTERN } from '@trunkline/contract/limits'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { type ProfileField, profileFieldNames } from '@trunkline/contract/user-fields'

export type Typed = Record<ProfileField | 'host' | 'password', string>
export type Faults = Partial<Record<keyof Typed, string>>

/** In the order of the form. */
export const fieldNames = [...profileFieldNames, 'host', 'password'] as const

const textsOf = (from: Record<ProfileField, string | null>): Record<ProfileField, string> =>
  Object.fromEntries(profileFieldNames.map((name) => [name, from[name] ?? ''])) as Record<
    ProfileField,
    string
  >

export const typedFrom = (user: User): Typed => ({ ...textsOf(user), host: user.host, password: '' })

export const hostFault = (host: string): string | undefined =>
  host.trim().length < HOST_MIN ? messages.hostTooShort : undefined

export function validateProfile({ username, company, host, password }: Typed): Faults {
  return withoutBlanks({
    username: usernameFault(username.trim()),
    company: company.trim() === '' ? ownMessages.companyMissing : undefined,
    host: hostFault(host),
    password: password !== '' && password.length < PASSWORD_MIN ? messages.passwordTooShort : undefined,
  })
}

function usernameFault(username: string): string | undefined {
  if (username === '') return 'Please enter your username.'
  const isFine = username.length <= USERNAME_MAX && USERNAME_PATTERN.test(username)
  return isFine ? undefined : ownMessages.usernameCharacters
}

/** The password is left out when nothing was typed. The host has an endpoint of its own. */
export const changeFrom = (typed: Typed): RequestOf<'PATCH /api/user/profile'>['body'] => ({
  ...Object.fromEntries(profileFieldNames.map((name) => [name, typed[name].trim()])),
  ...(typed.password !== '' && { password: typed.password }),
})

export const faultsFrom = (found: readonly FieldFault[]): Faults =>
  withoutBlanks(
    Object.fromEntries(
      fieldNames.map((name) => [name, found.find(({ field }) => field === name)?.message]),
    ) as Partial<Record<keyof Typed, string>>,
  )

const withoutBlanks = (faults: Partial<Record<keyof Typed, string | undefined>>): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined))
