import { Outlet, useLocation } from '@tanstack/react-router'
import { useCallback } from 'react'
import { AdminLoadingScreen } from '../app/LoadingScreen.tsx'
import { usePageTitle } from '../app/page-title.ts'
import { useUser } from '../app/session.ts'
import { usePaletteKey } from '../common/PaletteHint.tsx'
import { SkipLink } from '../common/SkipLink.tsx'
import { useOverlayState } from '../common/use-overlay-state.ts'
import { cx } from '../ui/cx.ts'
import { Overlays } from './Overlays.tsx'
import { type Overlay, OverlayContext } from './overlay.ts'
import { SummaryCards } from './SummaryCards.tsx'
import { TabBar } from './TabBar.tsx'
import { TopBar } from './TopBar.tsx'
import { tabAt } from './tabs.ts'

/** Keyed by user: another user, for example signed in from another tab, starts with a fresh panel. */
export function AdminLayout() {
  const user = useUser()
  return user ? <Frame key={user.id} /> : <AdminLoadingScreen />
}

function Frame() {
  const tab = useLocation({ select: ({ pathname }) => tabAt(pathname) })
  const [overlay, showOverlay] = useOverlayState<Overlay>()
  const closeOverlay = useCallback(() => showOverlay(null), [showOverlay])
  const openPalette = useCallback(() => showOverlay('palette'), [showOverlay])
  usePageTitle(tab === 'Dashboard' ? 'Admin Panel' : `${tab} · Admin Panel`)
  usePaletteKey(openPalette)

  return (
    <OverlayContext value={showOverlay}>
      <SkipLink />
      <div className="flex min-h-dvh flex-col">
        <TopBar />
        {/* On a phone the summary is on the first tab only. */}
        <div
          className={cx(
            'bg-surface',
            tab === 'Dashboard' ? 'pt-3 pb-1.5 lg:pt-2 lg:pb-1' : 'pt-1 max-sm:hidden short:hidden',
          )}
        >
          <div className="mx-auto w-full max-w-7xl px-4 sm:px-6">
            <SummaryCards look={tab === 'Dashboard' ? 'card' : 'line'} />
          </div>
        </div>
        <TabBar />
        <main className="mx-auto w-full max-w-7xl flex-1 p-4 sm:px-6 short:pt-2 lg:pt-3">
          <Outlet />
        </main>
      </div>
      <Overlays open={overlay} onClose={closeOverlay} />
    </OverlayContext>
  )
}
