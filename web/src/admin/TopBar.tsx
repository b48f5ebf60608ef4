import { Link } from '@tanstack/react-router'
import { Globe, LayoutDashboard, LogOut } from 'lucide-react'
import { DemoMark } from '../app/DemoMark.tsx'
import { logout } from '../app/session.ts'
import { useSite } from '../app/site.ts'
import { ThemeToggle } from '../app/ThemeToggle.tsx'
import { PaletteHint } from '../common/PaletteHint.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Wordmark } from '../ui/Logo.tsx'
import { AlertsBadge } from './AlertsBadge.tsx'
import { useOverlay } from './overlay.ts'

/** On a phone, rarely used items are in a second line that scrolls away with the page. */
export function TopBar() {
  const name = useSite()?.name ?? 'Trunkline'
  const show = useOverlay()
  return (
    <>
      <header className="sticky top-[var(--banner,0px)] z-20 border-b bg-surface">
        <div className="mx-auto flex h-16 short:h-12 lg:h-14 w-full max-w-7xl items-center gap-2 px-4 sm:gap-3 sm:px-6">
          <Link to="/" aria-label={`${name} start page`} className="min-w-0 rounded-sm">
            <Wordmark name={name} />
          </Link>
          <DemoMark className="max-sm:hidden" />
          <div className="ml-auto flex items-center gap-1 sm:gap-2">
            <PaletteHint onOpen={() => show('palette')} />
            <div className="flex items-center gap-2 max-md:hidden short:flex">
              <CustomerArea />
              <WebsiteIpButton onClick={() => show('website-ip')} />
            </div>
            <ThemeToggle />
            <AlertsBadge />
            <span className="border-l pl-3 font-medium text-sm max-md:hidden short:inline">
              Administrator
            </span>
            <Button size="sm" className="max-sm:h-10" onClick={() => void logout()}>
              <LogOut aria-hidden className="max-sm:hidden" />
              Logout
            </Button>
          </div>
        </div>
      </header>
      <section
        aria-label="Administrator"
        className="flex flex-wrap items-center gap-2 border-b bg-surface px-4 py-2 sm:px-6 md:hidden short:hidden"
      >
        <span className="mr-auto font-medium text-sm">Administrator</span>
        <CustomerArea />
        <WebsiteIpButton onClick={() => show('website-ip')} />
      </section>
    </>
  )
}

/** Navigates with a full page load: the customer area is a separate application. */
const CustomerArea = () => (
  <a
    href="/dashboard"
    aria-label="Customer area"
    title="Customer area"
    className={`${buttonClass({ variant: 'ghost', size: 'sm' })} px-2!`}
  >
    <LayoutDashboard aria-hidden />
  </a>
)

const WebsiteIpButton = ({ onClick }: { onClick: () => void }) => (
  <Button size="sm" onClick={onClick}>
    <Globe aria-hidden />
    Add/Update Website IP
  </Button>
)
