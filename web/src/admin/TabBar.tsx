import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { tabs } from './tabs.ts'

/** Scrolls horizontally if needed; the current tab is always visible. */
export function TabBar() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const line = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another tab
  useEffect(() => {
    const here = line.current?.querySelector('[aria-current="page"]')
    if (!(line.current && here instanceof HTMLElement)) return
    const { offsetLeft, offsetWidth } = here
    line.current.scrollTo({ left: offsetLeft - (line.current.clientWidth - offsetWidth) / 2 })
  }, [path])

  return (
    <nav aria-label="Admin Panel" className="border-b bg-surface">
      <div
        ref={line}
        className="relative mx-auto flex w-full max-w-7xl gap-1 overflow-x-auto px-2 [scrollbar-width:none] sm:px-4 lg:px-5"
      >
        {tabs.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/admin-panal', includeSearch: false, includeHash: false }}
            className="flex h-11 shrink-0 lg:h-10 items-center whitespace-nowrap border-transparent border-b-2 px-2.5 font-medium text-muted text-sm hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-signal-ink aria-[current=page]:text-ink"
          >
            {label}
          </Link>
        ))}
      </div>
    </nav>
  )
}
