/**
 * Who may do what. A store opens only to an `Owner`, and an `Owner` comes only from here: asking for
 * somebody's data without having settled whose it is does not compile.
 */

export type Role = 'user' | 'admin'

/** A signed-in person, as established by their session. */
export type Caller = {
  readonly userId: number
  readonly isAdmin: boolean
}

declare const ownerKey: unique symbol

export type Owner = {
  readonly [ownerKey]: true
  /** `null` sees everyone's data. */
  readonly userId: number | null
  readonly purpose: string
}

function makeOwner(userId: number | null, purpose: string): Owner {
  return { userId, purpose } as Owner
}

/** A person sees what is theirs. */
export const ownDataOf = (caller: Caller): Owner => makeOwner(caller.userId, 'own data')

/** An administrator sees everybody's. */
export function everyonesData(caller: Caller): Owner {
  if (!caller.isAdmin) throw new Error('only an administrator sees everyone’s data')
  return makeOwner(null, 'administration')
}

/** The house itself at work where nobody is signed in yet, or in a job; the purpose says why. */
export const system = (purpose: string): Owner => makeOwner(null, purpose)

/** The specification lets the flag arrive as 1, '1', true or 'true'. */
export const isTruthyFlag = (flag: unknown): boolean =>
  flag === true || flag === 1 || flag === '1' || flag === 'true'

/** May somebody of this role enter where `needed` is asked for? */
export const mayEnter = (needed: 'anyone' | 'user' | 'admin', caller: Caller | null): boolean =>
  needed === 'anyone' || (caller !== null && (needed === 'user' || caller.isAdmin))
