import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { withoutGaps } from '../../common/address.ts'
import { formatNumber } from '../../common/format/numbers.ts'
import { cx } from '../../ui/cx.ts'
import { CallerIds } from './CallerIds.tsx'
import { ContactRequests } from './ContactRequests.tsx'
import { callerIdsQuery, requestsQuery, ticketsQuery } from './queries.ts'
import { type DeskSearch, readSearch } from './search.ts'
import { Tickets } from './Tickets.tsx'

export function Support() {
  const search = readSearch(useSearch({ strict: false }))
  const isRequests = search.view === 'requests'
  const isCallerIds = search.view === 'caller-ids'
  const pending = useInfiniteQuery({ ...callerIdsQuery('pending'), select: ({ pages }) => pages[0]?.pending })
  const waiting = useInfiniteQuery({ ...ticketsQuery({}), select: ({ pages }) => pages[0]?.waiting })
  const unhandled = useInfiniteQuery({ ...requestsQuery('open'), select: ({ pages }) => pages[0]?.open })
  return (
    <>
      <div
        className={cx(
          'mb-4 items-center gap-x-6 border-b max-lg:border-b-0 lg:flex short:mb-2 short:flex',
          search.ticket !== undefined && 'max-lg:hidden',
        )}
      >
        <h1 className="font-semibold text-2xl tracking-tight max-lg:mb-3 short:mb-0">Support</h1>
        <nav
          aria-label="Support"
          className="-mb-px flex gap-1 overflow-x-auto overflow-y-hidden max-lg:border-b short:border-b-0"
        >
          <Part view={undefined} opened={search.view} label="Tickets" count={waiting.data} of="need reply" />
          <Part
            view="requests"
            opened={search.view}
            label="Contact requests"
            count={unhandled.data}
            of="open"
          />
          <Part view="caller-ids" opened={search.view} label="Caller IDs" count={pending.data} of="pending" />
        </nav>
      </div>
      {isRequests ? (
        <ContactRequests search={search} />
      ) : isCallerIds ? (
        <CallerIds search={search} />
      ) : (
        <Tickets search={search} />
      )}
    </>
  )
}

type PartProps = {
  view: DeskSearch['view']
  opened: DeskSearch['view']
  label: string
  count: number | undefined
  of: string
}

const Part = ({ view, opened, label, count, of }: PartProps) => (
  <Link
    to="/admin-panal/support"
    search={withoutGaps({ view })}
    aria-current={view === opened ? 'page' : undefined}
    className={cx(
      'flex h-10 items-center gap-2 whitespace-nowrap border-b-2 px-3 font-medium text-sm transition-colors hover:text-ink focus-visible:-outline-offset-2',
      view === opened ? 'border-signal-ink text-ink' : 'border-transparent text-muted',
    )}
  >
    {label}
    {count !== undefined && count > 0 && (
      <span className="figures text-muted text-xs">
        {formatNumber(count)} {of}
      </span>
    )}
  </Link>
)
