import { Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { AdminLoadingScreen, LoadingScreen } from './LoadingScreen.tsx'
import { ADMIN_PATH, CUSTOMER_PATH, destinationAfterLogin, rememberedPath } from './redirects.ts'
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
  if (session.status === 'unauthenticated')
    return <Navigate to="/login" search={{ from: ADMIN_PATH }} replace />
  if (!session.user.is_admin) return <Navigate to={CUSTOMER_PATH} replace />
  return <Outlet />
}

/** The login page is for visitors; everybody else is where they wanted to go already. */
export function LoginGate() {
  const session = useSession()
  // As it was on arrival: while the gate is being left, the router's location is the next screen's already.
  const [from] = useState(useLocation({ select: ({ search }) => rememberedPath(search.from) }))
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'unauthenticated') return <Outlet />
  return <Navigate to={destinationAfterLogin(session.user.is_admin, { path: '/login', from })} replace />
}
