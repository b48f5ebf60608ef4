import { Link, type LinkProps } from '@tanstack/react-router'
import type { CdrSearch } from '../../common/calls/report/search.ts'
import { cx } from '../../ui/cx.ts'

const viewClass =
  'flex h-10 items-center whitespace-nowrap border-b-2 px-3 font-medium text-sm transition-colors hover:text-ink focus-visible:-outline-offset-2'

type View = { label: string; isOpen: boolean; link: Pick<LinkProps, 'to' | 'search'> }

/** All calls, those that nobody answered, or their quality. The period stays; search and filters stay in the lists. */
export function CallViews({ search, isQuality = false }: { search: CdrSearch; isQuality?: boolean }) {
  const { cursor: _cursor, call: _call, missed, ...selection } = search
  const { direction: _direction, status: _status, quality: _quality, ...unfiltered } = selection
  const { period, from, to } = selection
  const views: View[] = [
    {
      label: 'All calls',
      isOpen: !missed && !isQuality,
      link: { to: '/dashboard/cdr-report', search: selection },
    },
    {
      label: 'Missed calls',
      isOpen: missed === true,
      link: {
        to: '/dashboard/cdr-report',
        search: { period: 'month' as const, ...unfiltered, missed: true as const },
      },
    },
    {
      label: 'Call quality',
      isOpen: isQuality,
      link: { to: '/dashboard/cdr-report/quality', search: { period, from, to } },
    },
  ]
  return (
    <nav aria-label="Calls" className="mb-4 flex gap-1 border-b">
      {views.map(({ label, isOpen, link }) => (
        <Link
          key={label}
          {...link}
          activeProps={{}}
          aria-current={isOpen ? 'page' : undefined}
          className={cx(viewClass, isOpen ? 'border-signal-ink text-ink' : 'border-transparent text-muted')}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
