/**
 * Access control. A store function that filters by user takes an `Owner`. One that reads or changes rows of many users
 * takes `AllUsers`. Only this module creates either, so a customer's scope never reaches a statement without a filter.
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

/** The scope of administrators and of the system itself. It also passes as an `Owner`. */
export type AllUsers = Owner & { readonly userId: null }

export const ownDataOf = (caller: Caller): Owner => ({ userId: caller.userId, purpose: 'own data' }) as Owner

export const seesAllUsers = (owner: Owner): owner is AllUsers => owner.userId === null

export function everyonesData(caller: Caller): AllUsers {
  requireAdmin(caller)
  return system('administration')
}

/** For data that belongs to no user, such as routes and trunks. The API has checked the role before; this is the second check. */
export function requireAdmin(caller: Caller): void {
  if (!caller.isAdmin) throw new Error('only an administrator can access the data of all users')
}

/** For work without a signed-in user, such as jobs and sign-in itself. `purpose` documents the reason. */
export const system = (purpose: string): AllUsers => ({ userId: null, purpose }) as AllUsers

/** The specification allows 1, '1', true and 'true'. */
export const isTruthyFlag = (flag: unknown): boolean =>
  flag === true || flag === 1 || flag === '1' || flag === 'true'

export const hasAccess = (needed: 'anyone' | 'user' | 'admin', caller: Caller | null): boolean =>
  needed === 'anyone' || (caller !== null && (needed === 'user' || caller.isAdmin))
