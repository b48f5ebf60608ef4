import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ScreenTitle } from '../../common/ScreenTitle.tsx'
import { cx } from '../../ui/cx.ts'

const tabs = [
  { to: '/dashboard/flows', label: 'Flows' },
  { to: '/dashboard/flows/queues', label: 'Queues' },
  { to: '/dashboard/flows/sounds', label: 'Sounds' },
] as const

/** The heading of the flows, the queues and the library of sounds. */
export const FlowsHeading = ({ text, actions }: { text: string; actions?: ReactNode }) => (
  <>
    <div
      className={cx(
        'flex flex-wrap items-start justify-between gap-x-6',
        actions !== undefined && 'max-sm:mb-6',
      )}
    >
      <ScreenTitle title="Call flows" text={text} />
      {actions}
    </div>
    <div className="mb-4 flex gap-1 border-b">
      {tabs.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true }}
          activeProps={{ className: 'border-signal-ink text-ink' }}
          inactiveProps={{ className: 'border-transparent text-muted' }}
          className="flex h-10 items-center border-b-2 px-3 font-medium text-sm transition-colors hover:text-ink"
        >
          {label}
        </Link>
      ))}
    </div>
  </>
)
