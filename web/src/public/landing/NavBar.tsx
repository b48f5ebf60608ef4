import { Link } from '@tanstack/react-router'
import { Menu, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { DemoMark } from '../../app/DemoMark.tsx'
import { ThemeToggle } from '../../app/ThemeToggle.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Lamp } from '../../ui/Lamp.tsx'
import { Wordmark } from '../../ui/Logo.tsx'
import { page, sections } from './sections.ts'
import { useSectionInView } from './use-section-in-view.ts'

export function NavBar({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false)
  const inView = useSectionInView()
  const menu = useRef<HTMLElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)

  // The menu comes before its button in the tab order, so the focus moves into it and back.
  useEffect(() => {
    if (!isOpen) return
    menu.current?.querySelector('a')?.focus()
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      toggle.current?.focus()
    }
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [isOpen])

  return (
    <header className="sticky top-[var(--banner,0px)] z-20 border-b bg-ground">
      <div className={cx(page, 'flex h-16 items-center gap-3 md:gap-4')}>
        <a href="#home" className="min-w-0 rounded-sm">
          <Wordmark name={name} />
        </a>
        <DemoMark className="max-[22rem]:hidden" />

        <nav
          ref={menu}
          id="landing-nav"
          aria-label="Main"
          className={cx(
            'md:mx-auto md:flex md:items-center md:gap-1',
            'max-md:absolute max-md:inset-x-0 max-md:top-full max-md:border-b max-md:bg-ground max-md:p-3 max-md:shadow-far',
            !isOpen && 'max-md:hidden',
          )}
        >
          {sections.map((section) => (
            <a
              key={section.id}
              href={`#${section.id}`}
              aria-current={inView === section.id ? 'true' : undefined}
              onClick={() => setOpen(false)}
              className="flex h-10 items-center gap-1.5 rounded-md px-3 text-muted transition-colors hover:text-ink aria-current:text-ink max-md:h-12 max-md:text-lg"
            >
              <Lamp lit={inView === section.id ? 'signal' : 'off'} label="" className="size-3" />
              {section.name}
            </a>
          ))}
          <div className="md:hidden">
            <ThemeToggle />
          </div>
        </nav>

        <div className="flex items-center gap-2 max-md:ml-auto">
          {/* On a phone the toggle is in the menu, to leave room for the provider's name. */}
          <div className="max-md:hidden">
            <ThemeToggle />
          </div>
          <Link to="/login" className={buttonClass({ variant: 'secondary' })}>
            Login
          </Link>
          <button
            ref={toggle}
            type="button"
            aria-label={isOpen ? 'Close menu' : 'Open menu'}
            aria-expanded={isOpen}
            aria-controls="landing-nav"
            onClick={() => setOpen(!isOpen)}
            className="grid size-10 place-items-center rounded-md text-muted hover:text-ink md:hidden"
          >
            {isOpen ? <X aria-hidden className="size-5" /> : <Menu aria-hidden className="size-5" />}
          </button>
        </div>
      </div>
    </header>
  )
}
