import { Navigate, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { AdminLoadingScreen, LoadingScreen } from './LoadingScreen.tsx'
import { CUSTOMER_PATH, destinationAfterLogin, rememberedPath } from './redirects.ts'
import { useSession } from './session.ts'

/**
 * Who may see which part (section 2 of the specification). A gate follows the session, so whoever is signed out
 * while looking at a screen leaves it at once. What must stay secret is refused by the server, not here.
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

/** Remembers the whole address, as it was when the visitor was sent away. */
function SignInFirst() {
  const [from] = useState(useLocation({ select: ({ href }) => rememberedPath(href) }))
  return <Navigate to="/login" search={{ from }} replace />
}

/** The login page is for visitors; everybody else is where they wanted to go already. */
export function LoginGate() {
  const session = useSession()
  // As it was on arrival: while the gate is being left, the router's location is the next screen's already.
  const [from] = useState(useLocation({ select: ({ search }) => rememberedPath(search.from) }))
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'unauthenticated') return <Outlet />
  return <GoTo address={destinationAfterLogin(session.user.is_admin, from)} />
}

/** An address with its search, which is more than the path that Navigate takes. */
function GoTo({ address }: { address: string }) {
  const { history } = useRouter()
  useEffect(() => history.replace(address), [history, address])
  return <LoadingScreen />
}
