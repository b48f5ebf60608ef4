/** Where signing in leads. No address is followed unless it lies in the admin panel of this site. */

export const ADMIN_PATH = '/admin-panal'
export const CUSTOMER_PATH = '/dashboard'

/** Longer than any address of ours. */
const LONGEST = 2_000
const SOME_SITE = 'http://localhost'

/** The address in the panel that a visitor was sent away from, with its search; undefined for every other address. */
export function rememberedPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST || !URL.canParse(value, SOME_SITE)) return undefined
  const { origin, pathname, search } = new URL(value, SOME_SITE)
  const isOurs = origin === SOME_SITE && (pathname === ADMIN_PATH || pathname.startsWith(`${ADMIN_PATH}/`))
  return isOurs ? pathname + search : undefined
}

/** An administrator goes back to where they were in the panel, or to its start; all others go to their area. */
export const destinationAfterLogin = (isAdmin: boolean, from: string | undefined): string =>
  isAdmin ? (from ?? ADMIN_PATH) : CUSTOMER_PATH
