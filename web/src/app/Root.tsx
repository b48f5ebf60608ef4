import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { focusHeading } from '../ui/focus-heading.ts'
import { Toaster } from '../ui/Toaster.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { useConnection } from './connection.ts'
import { useProofNeeded } from './proof.ts'
import { applyTheme } from './theme.ts'

// Rarely needed, so not part of the first load.
const ProofDialog = lazy(() =>
  import('./ProofDialog.tsx').then((module) => ({ default: module.ProofDialog })),
)

export function Root() {
  const router = useRouter()
  const path = useLocation({ select: (location) => location.pathname })

  const isAway = useConnection() === 'disconnected'
  const isProofNeeded = useProofNeeded()

  useLayoutEffect(() => applyTheme(path), [path])

  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // The browser announces the first page.
        if (fromLocation && pathChanged) focusHeading()
      }),
    [router],
  )

  return (
    <>
      <ConnectionBanner />
      {/* Sticky headers leave room for the banner. */}
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
