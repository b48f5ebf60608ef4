import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { focusHeading } from '../ui/focus-heading.ts'
import { Toaster } from '../ui/Toaster.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { useConnection } from './connection.ts'
import { useProofNeeded } from './proof.ts'
import { applyTheme } from './theme.ts'

// Rarely needed: not part of the first load.
const ProofDialog = lazy(() =>
  import('./ProofDialog.tsx').then((module) => ({ default: module.ProofDialog })),
)

/** What stands around every screen. */
export function Root() {
  const router = useRouter()
  const path = useLocation({ select: (location) => location.pathname })

  const isAway = useConnection() === 'disconnected'
  const isProofNeeded = useProofNeeded()

  useLayoutEffect(() => applyTheme(path), [path])

  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // The first page is the browser's to announce.
        if (fromLocation && pathChanged) focusHeading()
      }),
    [router],
  )

  return (
    <>
      <ConnectionBanner />
      {/* What sticks to the top of the window makes room for the banner. */}
      <div className={isAway ? '[--banner:--spacing(9)]' : undefined}>
        <Outlet />
      </div>
      {isProofNeeded && (
        <Suspense>
          <ProofDialog />
        </Suspense>
      )}
      <Toaster />
    </>
  )
}
