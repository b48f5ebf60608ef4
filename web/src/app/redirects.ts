/** Redirects after sign-in. Only addresses inside the admin panel are followed. */

export const ADMIN_PATH = '/admin-panal'
export const CUSTOMER_PATH = '/dashboard'

const LONGEST = 2_000
const SOME_SITE = 'http://localhost'

/** The panel address that the visitor tried to open, with its search; undefined for any other address. */
export function rememberedPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST || !URL.canParse(value, SOME_SITE)) return undefined
  const { origin, pathname, search } = new URL(value, SOME_SITE)
  const isOurs = origin === SOME_SITE && (pathname === ADMIN_PATH || pathname.startsWith(`${ADMIN_PATH}/`))
  return isOurs ? pathname + search : undefined
}

/** Administrators return to their panel address or its start page; others go to the customer area. */
export const destinationAfterLogin = (isAdmin: boolean, from: string | undefined): string =>
  isAdmin ? (from ?? ADMIN_PATH) : CUSTOMER_PATH
