import type { RequestOf } from '@trunkline/contract'
import type { User } from '@trunkline/contract/accounts'
import type { FieldFault } from '@trunkline/contract/errors'
import { HOST_MIN, PASSWORD_MIN, USERNAME_MAX, USERNAME_PATTERN } from '@trunkline/contract/limits'
import { messages, ownMessages } from '@trunkline/contract/messages'

export type Typed = { username: string; company: string; host: string; password: string }
export type Faults = Partial<Record<keyof Typed, string>>

/** In the order in which they stand in the form. */
export const fieldNames = ['username', 'company', 'host', 'password'] as const

/** A password is never shown, so there is never one to begin with. */
export const typedFrom = ({ username, company, host }: User): Typed => ({
  username,
  company: company ?? '',
  host,
  password: '',
})

export const hostFault = (host: string): string | undefined =>
  host.trim().length < HOST_MIN ? messages.hostTooShort : undefined

/** What stands in the way of saving; the server has the last word. */
export function faultsIn({ username, company, host, password }: Typed): Faults {
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

/** The password is left out when nothing was typed. */
export const changeFrom = ({
  username,
  company,
  password,
}: Typed): RequestOf<'PATCH /api/user/profile'>['body'] => ({
  username: username.trim(),
  company: company.trim(),
  ...(password !== '' && { password }),
})

/** What the server found wrong, by field. */
export const faultsFrom = (found: readonly FieldFault[]): Faults =>
  withoutBlanks(
    Object.fromEntries(
      fieldNames.map((name) => [name, found.find(({ field }) => field === name)?.message]),
    ) as Record<keyof Typed, string | undefined>,
  )

const withoutBlanks = (faults: Record<keyof Typed, string | undefined>): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined))
