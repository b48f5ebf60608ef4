import { Link, Outlet, useLocation } from '@tanstack/react-router'
import type { User } from '@trunkline/contract/accounts'
import { USER_REFRESH_MS } from '@trunkline/contract/limits'
import { useCallback, useEffect } from 'react'
import { DemoMark } from '../app/DemoMark.tsx'
import { LoadingScreen } from '../app/LoadingScreen.tsx'
import { usePageTitle } from '../app/page-title.ts'
import { refresh, useUser } from '../app/session.ts'
import { ThemeToggle } from '../app/ThemeToggle.tsx'
import { PaletteHint, usePaletteKey } from '../common/PaletteHint.tsx'
import { SkipLink } from '../common/SkipLink.tsx'
import { useOverlayState } from '../common/use-overlay-state.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Overlays } from './Overlays.tsx'
import { type Overlay, OverlayContext } from './overlay.ts'
import { PhoneButton } from './phone/PhoneButton.tsx'
import { PhoneFrame } from './phone/PhoneFrame.tsx'
import { MobileMenu, Sidebar } from './Sidebar.tsx'
import { tabTitleFor, titleFor } from './title.ts'

/** The layout of the customer area. Another user, for example from another tab, remounts it. */
export function PortalLayout() {
  const user = useUser()
  return user ? <Frame key={user.id} user={user} /> : <LoadingScreen />
}

/** Header and screen share one width. */
const columnClass = 'mx-auto w-full max-w-6xl 2xl:max-w-[90rem]'

function Frame({ user }: { user: User }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const title = titleFor(path)
  const [overlay, showOverlay] = useOverlayState<Overlay>()
  const closeOverlay = useCallback(() => showOverlay(null), [showOverlay])
  const openPalette = useCallback(() => showOverlay('palette'), [showOverlay])
  usePageTitle(tabTitleFor(path))
  useUserRefresh()
  usePaletteKey(openPalette)

  return (
    <OverlayContext value={showOverlay}>
      <PhoneFrame>
        <SkipLink />
        <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
          <Sidebar isAdmin={user.is_admin} />
          <div className="flex min-h-dvh min-w-0 flex-col lg:col-start-2">
            <header className="sticky top-[var(--banner,0px)] z-20 h-16 border-b bg-ground">
              <div
                className={cx(columnClass, 'flex h-full items-center gap-2 px-3 sm:gap-3 sm:px-6 lg:px-8')}
              >
                <MobileMenu user={user} />
                <h1 className="min-w-0 flex-1 truncate font-semibold text-xl tracking-tight">{title}</h1>
                {/* The title shrinks, so that nothing moves when the badge appears. */}
                <DemoMark className="max-[22rem]:hidden" />
                <PaletteHint onOpen={openPalette} />
                <PhoneButton />
                <ThemeToggle className="max-sm:hidden" />
                {user.is_premium ? (
                  <Badge tone="signal">Premium</Badge>
                ) : (
                  <Link to="/dashboard/upgrade" className={buttonClass({ variant: 'secondary', size: 'sm' })}>
                    Upgrade
                  </Link>
                )}
                <Whoami user={user} />
              </div>
            </header>
            <main className={cx(columnClass, 'flex-1 p-4 sm:p-6 lg:p-8')}>
              <Outlet />
            </main>
          </div>
        </div>
        <Overlays open={overlay} onClose={closeOverlay} />
      </PhoneFrame>
    </OverlayContext>
  )
}

function Whoami({ user }: { user: User }) {
  const name = user.name || user.username || 'User'
  return (
    <div className="flex min-w-0 items-center gap-2.5 border-line max-[25rem]:hidden sm:border-l sm:pl-3">
      <Avatar name={name} size={32} />
      <div className="hidden min-w-0 max-w-52 leading-tight md:block">
        <p className="truncate font-medium text-sm">{name}</p>
        {user.email && <p className="truncate text-muted text-xs">{user.email}</p>}
      </div>
    </div>
  )
}

/** Refreshes balance and premium state every ten seconds while the page is visible. Errors are ignored. */
function useUserRefresh(): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) refresh().catch(() => {})
    }, USER_REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
}
