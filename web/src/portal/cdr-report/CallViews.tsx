import { Link } from '@tanstack/react-router'
import type { CdrSearch } from '../../common/calls/report/search.ts'
import { cx } from '../../ui/cx.ts'

const viewClass =
  'flex h-10 items-center whitespace-nowrap border-b-2 px-3 font-medium text-sm transition-colors hover:text-ink focus-visible:-outline-offset-2'

/** All calls, or those that nobody answered. Days and search stay. */
export function CallViews({ search }: { search: CdrSearch }) {
  const { cursor: _cursor, call: _call, missed, ...selection } = search
  const { direction: _direction, status: _status, ...unfiltered } = selection
  const views = [
    { label: 'All calls', isOpen: !missed, search: selection },
    {
      label: 'Missed calls',
      isOpen: missed,
      search: { period: 'month' as const, ...unfiltered, missed: true as const },
    },
  ]
  return (
    <nav aria-label="Calls" className="mb-4 flex gap-1 border-b">
      {views.map((view) => (
        <Link
          key={view.label}
          to="/dashboard/cdr-report"
          search={view.search}
          activeProps={{}}
          aria-current={view.isOpen ? 'page' : undefined}
          className={cx(
            viewClass,
            view.isOpen ? 'border-signal-ink text-ink' : 'border-transparent text-muted',
          )}
        >
          {view.label}
        </Link>
      ))}
    </nav>
  )
}
