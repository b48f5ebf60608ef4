import type { RequestOf } from '@trunkline/contract'
import type { User } from '@trunkline/contract/accounts'
import type { FieldFault } from '@trunkline/contract/errors'
import { HOST_MIN, PASSWORD_MIN, USERNAME_MAX, USERNAME_PATTERN } from '@trunkline/contract/limits'
import { messages, ownMessages } from '@trunkline/contract/messages'

export type Typed = {
  username: string
  company: string
  home_country: string
  host: string
  password: string
}
export type Faults = Partial<Record<keyof Typed, string>>

/** In the order in which they stand in the form. */
export const fieldNames = ['username', 'company', 'home_country', 'host', 'password'] as const

/** A password is never shown, so there is never one to begin with. */
export const typedFrom = ({ username, company, home_country, host }: User): Typed => ({
  username,
  company: company ?? '',
  home_country: home_country ?? '',
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
    home_country: undefined,
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
  home_country,
  password,
}: Typed): RequestOf<'PATCH /api/user/profile'>['body'] => ({
  username: username.trim(),
  company: company.trim(),
  home_country,
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
