import { Navigate, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { AdminLoadingScreen, LoadingScreen } from './LoadingScreen.tsx'
import { CUSTOMER_PATH, destinationAfterLogin, rememberedPath } from './redirects.ts'
import { useSession } from './session.ts'

/**
 * Access to the areas (section 2 of the specification). A gate follows the session: a user who is signed out leaves
 * the screen immediately. The server enforces access; this only redirects.
 */

export function CustomerGate() {
  const session = useSession()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'unauthenticated') return <Navigate to="/login" replace />
  return <Outlet />
}

export function AdminGate() {
  const session = useSession()
  if (session.status === 'loading') return <AdminLoadingScreen />
  if (session.status === 'unauthenticated') return <SignInFirst />
  if (!session.user.is_admin) return <Navigate to={CUSTOMER_PATH} replace />
  return <Outlet />
}

/** Remembers the full address of the visitor. */
function SignInFirst() {
  const [from] = useState(useLocation({ select: ({ href }) => rememberedPath(href) }))
  return <Navigate to="/login" search={{ from }} replace />
}

/** Redirects signed-in users away from the login page. */
export function LoginGate() {
  const session = useSession()
  // The address on arrival: while leaving, the router already has the location of the next screen.
  const [from] = useState(useLocation({ select: ({ search }) => rememberedPath(search.from) }))
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'unauthenticated') return <Outlet />
  return <GoTo address={destinationAfterLogin(session.user.is_admin, from)} />
}

/** Navigates to an address with its search, which Navigate does not accept. */
function GoTo({ address }: { address: string }) {
  const { history } = useRouter()
  useEffect(() => history.replace(address), [history, address])
  return <LoadingScreen />
}
