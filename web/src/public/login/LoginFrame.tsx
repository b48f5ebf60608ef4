import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { DemoMark } from '../../app/DemoMark.tsx'
import { useSite } from '../../app/site.ts'
import { ThemeToggle } from '../../app/ThemeToggle.tsx'
import { Wordmark } from '../../ui/Logo.tsx'
import type { Progress } from './progress.ts'
import { TrunkArt, TrunkStrip } from './TrunkArt.tsx'

type LoginFrameProps = { title: string; lead: ReactNode; progress: Progress; children: ReactNode }

/** The layout of the sign-in screens. */
export function LoginFrame({ title, lead, progress, children }: LoginFrameProps) {
  const name = useSite()?.name ?? 'Trunkline'
  return (
    <div className="grid min-h-dvh grid-cols-1 grid-rows-[auto_1fr] lg:grid-rows-1 lg:grid-cols-[minmax(0,11fr)_minmax(0,10fr)]">
      <aside
        data-theme="dark"
        aria-label={name}
        className="flex flex-col overflow-hidden bg-sunken text-ink lg:sticky lg:top-0 lg:h-dvh lg:min-h-150"
      >
        <div className="flex h-16 shrink-0 items-center justify-between gap-3 px-5 lg:h-24 lg:px-12">
          <Link to="/" aria-label={`${name} start page`} className="min-w-0 rounded-sm">
            <Wordmark name={name} />
          </Link>
          <DemoMark />
        </div>
        <div className="pb-5 lg:hidden">
          <TrunkStrip {...progress} />
        </div>
        <div className="hidden min-h-0 flex-1 items-center lg:flex">
          <TrunkArt {...progress} />
        </div>
        <div className="hidden px-12 pt-6 pb-12 lg:block">
          <p className="max-w-md text-balance font-semibold text-3xl tracking-tight">
            Manage your SIP trunks in one place.
          </p>
          <p className="mt-3 max-w-sm text-balance text-muted">Call tracking, trunk control and caller ID</p>
        </div>
      </aside>

      <div className="flex flex-col bg-ground">
        <header className="flex h-16 shrink-0 items-center justify-between gap-3 px-3 sm:px-8 lg:h-24 lg:px-12">
          <Link
            to="/"
            className="inline-flex h-10 items-center gap-2 rounded-md px-2 text-muted text-sm hover:text-ink"
          >
            <ArrowLeft aria-hidden className="size-4" />
            Back to home
          </Link>
          <ThemeToggle />
        </header>
        {/* Top-aligned, so that messages and fields that appear do not move the heading. */}
        <main className="mx-auto flex w-full max-w-md flex-1 flex-col px-5 pt-4 pb-12 sm:px-8 lg:pt-[7dvh]">
          <h1 className="font-semibold text-3xl tracking-tight">{title}</h1>
          <div className="mt-2 text-muted">{lead}</div>
          <div className="mt-7">{children}</div>
        </main>
      </div>
    </div>
  )
}
