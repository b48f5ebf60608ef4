import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useLayoutEffect } from 'react'
import { Toaster } from '../ui/Toaster.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { focusHeading } from './focus-heading.ts'
import { applyTheme } from './theme.ts'

/** What stands around every screen. */
export function Root() {
  const router = useRouter()
  const path = useLocation({ select: (location) => location.pathname })

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
      <Outlet />
      <Toaster />
    </>
  )
}
