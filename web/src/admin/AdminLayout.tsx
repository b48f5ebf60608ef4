import { Link, Outlet } from '@tanstack/react-router'
import { LogOut } from 'lucide-react'
import { DemoMark } from '../app/DemoMark.tsx'
import { AdminLoadingScreen } from '../app/LoadingScreen.tsx'
import { usePageTitle } from '../app/page-title.ts'
import { logout, useUser } from '../app/session.ts'
import { useSite } from '../app/site.ts'
import { ThemeToggle } from '../app/ThemeToggle.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Wordmark } from '../ui/Logo.tsx'
import { tabs } from './tabs.ts'

/** The frame of the operator's panel. */
export function AdminLayout() {
  const user = useUser()
  const name = useSite()?.name ?? 'Trunkline'
  usePageTitle('Admin Panel')
  if (!user) return <AdminLoadingScreen />
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="sticky top-[var(--banner,0px)] z-20 border-b bg-surface">
        <div className="mx-auto flex min-h-16 w-full max-w-7xl flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 sm:px-6">
          <Link to="/" aria-label={`${name}, to the start page`} className="min-w-0 rounded-sm">
            <Wordmark name={name} />
          </Link>
          <DemoMark />
          <div className="ml-auto flex items-center gap-1 sm:gap-2">
            <ThemeToggle />
            <a href="/dashboard" className={`${buttonClass({ variant: 'ghost', size: 'sm' })} max-sm:hidden`}>
              Customer area
            </a>
            <span className="border-l px-3 font-medium text-sm max-sm:hidden">Administrator</span>
            <Button size="sm" onClick={() => void logout()}>
              <LogOut aria-hidden />
              Logout
            </Button>
          </div>
          <div className="flex w-full items-center justify-between text-sm sm:hidden">
            <span className="font-medium">Administrator</span>
            <a href="/dashboard" className="rounded-sm py-1 text-muted underline underline-offset-4">
              Customer area
            </a>
          </div>
        </div>
      </header>
      <nav aria-label="Admin Panel" className="border-b bg-surface">
        <div className="mx-auto flex w-full max-w-7xl gap-1 overflow-x-auto px-4 sm:px-6">
          {tabs.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: to === '/admin-panal' }}
              className="flex h-11 items-center whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-muted text-sm hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-signal-ink aria-[current=page]:text-ink"
            >
              {label}
            </Link>
          ))}
        </div>
      </nav>
      <main className="mx-auto w-full max-w-7xl flex-1 p-4 sm:p-6 lg:p-8">
        <Outlet />
      </main>
    </div>
  )
}
