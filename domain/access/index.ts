/**
 * Access control. Store functions require an `Owner`, and only this module creates one, so reading data
 * without deciding whose it is does not compile.
 */

export type Role = 'user' | 'admin'

/** A signed-in user, taken from the session. */
export type Caller = {
  readonly userId: number
  readonly isAdmin: boolean
}

declare const ownerKey: unique symbol

export type Owner = {
  readonly [ownerKey]: true
  /** `null` gives access to the data of all users. */
  readonly userId: number | null
  readonly purpose: string
}

function makeOwner(userId: number | null, purpose: string): Owner {
  return { userId, purpose } as Owner
}

export const ownDataOf = (caller: Caller): Owner => makeOwner(caller.userId, 'own data')

export function everyonesData(caller: Caller): Owner {
  if (!caller.isAdmin) throw new Error('only an administrator can access the data of all users')
  return makeOwner(null, 'administration')
}

/** For work without a signed-in user, such as jobs and sign-in itself. `purpose` documents the reason. */
export const system = (purpose: string): Owner => makeOwner(null, purpose)

/** The specification allows 1, '1', true and 'true'. */
export const isTruthyFlag = (flag: unknown): boolean =>
  flag === true || flag === 1 || flag === '1' || flag === 'true'

export const hasAccess = (needed: 'anyone' | 'user' | 'admin', caller: Caller | null): boolean =>
  needed === 'anyone' || (caller !== null && (needed === 'user' || caller.isAdmin))
