/** Where signing in leads. Nothing from an address bar is followed unless it is listed here. */

export const ADMIN_PATH = '/admin-panal'
export const CUSTOMER_PATH = '/dashboard'
const REMEMBERED = [ADMIN_PATH] as const

export type RememberedPath = (typeof REMEMBERED)[number]

/** The path a visitor was sent away from, if it is one that we remember. */
export const rememberedPath = (value: unknown): RememberedPath | undefined =>
  REMEMBERED.find((path) => path === value)

/** An administrator who came from the panel, or who signs in at /login, goes to the panel; all others to their area. */
export function destinationAfterLogin(
  isAdmin: boolean,
  at: { path: string; from?: RememberedPath },
): typeof ADMIN_PATH | typeof CUSTOMER_PATH {
  return isAdmin && (at.from === ADMIN_PATH || at.path === '/login') ? ADMIN_PATH : CUSTOMER_PATH
}
