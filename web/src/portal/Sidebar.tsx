import { Link, useLocation } from '@tanstack/react-router'
import type { User } from '@trunkline/contract/accounts'
import { Gauge, LogOut, Menu, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ADMIN_PATH } from '../app/redirects.ts'
import { logout } from '../app/session.ts'
import { useSite } from '../app/site.ts'
import { ThemeToggle } from '../app/ThemeToggle.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { cx } from '../ui/cx.ts'
import { Wordmark } from '../ui/Logo.tsx'
import { useHasSidebar } from '../ui/use-is-wide.ts'
import { ConnectionStatus } from './ConnectionStatus.tsx'
import { CountBadge } from './CountBadge.tsx'
import { useLiveCalls } from './live/live-calls.ts'
import { NewMessages } from './NewMessages.tsx'
import { screens } from './screens.ts'

const itemClass =
  'relative flex h-10 w-full items-center gap-3 rounded-md px-3 text-left transition-colors hover:bg-ink/6 hover:text-ink [&>svg]:size-4.5 [&>svg]:shrink-0'

const hereClass =
  'bg-ink/6 font-medium text-ink before:absolute before:-left-3 before:h-5 before:w-0.75 before:rounded-r-sm before:bg-signal-edge [&>svg]:text-signal-ink'

function Navigation({ isAdmin }: { isAdmin: boolean }) {
  return (
    <nav aria-label="Customer area" className="flex flex-1 flex-col px-3 py-4">
      <ul className="flex flex-col gap-1">
        {screens.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/dashboard', includeSearch: false }}
              activeProps={{ className: hereClass }}
              inactiveProps={{ className: 'text-muted' }}
              className={itemClass}
            >
              <Icon aria-hidden />
              {label}
              {to === '/dashboard' && <LiveCount />}
              {to === '/dashboard/voicemail' && <NewMessages />}
            </Link>
          </li>
        ))}
        {isAdmin && (
          <li className="mt-3 border-t pt-3">
            {/* The specification requires a full page navigation. */}
            <a href={ADMIN_PATH} className={cx(itemClass, 'text-muted')}>
              <Gauge aria-hidden />
              Admin Panel
            </a>
          </li>
        )}
      </ul>
      <div className="mt-auto flex flex-col gap-1 pt-4">
        <ConnectionStatus />
        <button type="button" onClick={() => void logout()} className={cx(itemClass, 'text-muted')}>
          <LogOut aria-hidden />
          Logout
        </button>
      </div>
    </nav>
  )
}

function LiveCount() {
  const count = useLiveCalls(({ liveCalls }) => liveCalls)
  return <CountBadge count={count} one="live call" many="live calls" />
}

/** Nothing on a phone, which has the menu: links that nobody sees would delay the first screen. */
export function Sidebar({ isAdmin }: { isAdmin: boolean }) {
  if (!useHasSidebar()) return null
  return (
    <aside
      aria-label="Sidebar"
      className="sticky top-[var(--banner,0px)] flex h-[calc(100dvh-var(--banner,0px))] flex-col overflow-y-auto border-r bg-surface"
    >
      <Brand />
      <Navigation isAdmin={isAdmin} />
    </aside>
  )
}

function Brand() {
  const name = useSite()?.name ?? 'Trunkline'
  return (
    <div className="flex h-16 shrink-0 items-center border-b px-5">
      <Link to="/" aria-label={`${name} start page`} className="min-w-0 rounded-sm">
        <Wordmark name={name} />
      </Link>
    </div>
  )
}

/** The sidebar on narrow screens. A native modal dialog traps and restores the focus. */
export function MobileMenu({ user }: { user: User }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const path = useLocation({ select: ({ pathname }) => pathname })

  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])

  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving at another screen closes the menu
  useEffect(() => setOpen(false), [path])

  return (
    <>
      <button
        type="button"
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls="portal-menu"
        onClick={() => setOpen(true)}
        className="grid size-10 shrink-0 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink lg:hidden"
      >
        <Menu aria-hidden className="size-5" />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape and the close button */}
      <dialog
        ref={dialog}
        id="portal-menu"
        aria-label="Menu"
        onClose={() => setOpen(false)}
        // A click on the dialog element itself is a click on the backdrop.
        onClick={(event) => event.target === event.currentTarget && setOpen(false)}
        className="m-0 h-dvh max-h-none w-72 max-w-[85vw] border-r bg-surface text-ink shadow-far backdrop:bg-scrim open:animate-appear lg:hidden"
      >
        {isOpen && (
          <div className="flex h-full flex-col">
            <div className="flex h-16 shrink-0 items-center gap-3 border-b pr-3 pl-5">
              <Avatar name={user.name || user.username || 'User'} size={32} decorative />
              <div className="min-w-0 flex-1 leading-tight">
                <p className="truncate font-medium text-sm">{user.name || user.username || 'User'}</p>
                {user.email && <p className="truncate text-muted text-xs">{user.email}</p>}
              </div>
              <button
                type="button"
                aria-label="Close menu"
                onClick={() => setOpen(false)}
                className="grid size-10 shrink-0 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink"
              >
                <X aria-hidden className="size-5" />
              </button>
            </div>
            <Navigation isAdmin={user.is_admin} />
            <div className="flex items-center justify-between border-t px-5 py-2 text-muted text-sm">
              Theme
              <ThemeToggle />
            </div>
          </div>
        )}
      </dialog>
    </>
  )
}
