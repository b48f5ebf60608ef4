import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useLayoutEffect } from 'react'
import { useLazyModule, useLoadFailure } from '../common/use-lazy-module.ts'
import { focusHeading } from '../ui/focus-heading.ts'
import { Toaster } from '../ui/Toaster.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { useConnection } from './connection.ts'
import { endProof, useProofNeeded } from './proof.ts'
import { applyTheme } from './theme.ts'

export function Root() {
  const router = useRouter()
  const path = useLocation({ select: (location) => location.pathname })

  const isAway = useConnection() === 'disconnected'
  const isProofNeeded = useProofNeeded()
  // Rarely needed, so not part of the first load.
  const proof = useLazyModule('proof', () => import('./ProofDialog.tsx'), isProofNeeded)
  useLoadFailure(proof, isProofNeeded, () => endProof(false))

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
      {isProofNeeded && proof.data && <proof.data.ProofDialog />}
      <Toaster />
    </>
  )
}
