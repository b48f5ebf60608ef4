import { Link } from '@tanstack/react-router'
import type { AuditEntry } from '@trunkline/contract/audit-log'
import { ArrowRight, ChevronDown } from 'lucide-react'
import { Fragment, useState } from 'react'
import { formatDateTime } from '../../common/format/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { UserLink } from '../users/UserLink.tsx'
import type { Selection } from './search.ts'
import { type Difference, differencesIn, sayAction } from './words.ts'

const linkClass = 'rounded-sm py-0.5 underline underline-offset-4'

/** On wide screens one line that can be opened. */
export function Entry({ entry, selection }: { entry: AuditEntry; selection: Selection }) {
  const { at, by, action, subject, user, reason } = entry
  const [isOpen, setOpen] = useState(false)
  const differences = differencesIn(entry)
  const hasDetails = reason !== null || differences.length > 0
  return (
    <li className="px-5 py-4 lg:flex lg:min-h-9 lg:flex-wrap lg:items-center lg:gap-x-4 lg:px-4 lg:py-0.5 lg:text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2 lg:contents">
        <span className="lg:w-80 lg:truncate">
          <Link
            to="/admin-panal/audit-log"
            search={{ ...selection, by: by.id }}
            className={`${linkClass} font-semibold`}
          >
            {by.username}
          </Link>{' '}
          {sayAction(action)}
        </span>
        <time dateTime={at} className="figures text-muted text-sm max-lg:sm:ml-auto lg:-order-1 lg:w-40">
          {formatDateTime(at)}
        </time>
      </p>
      <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted text-sm lg:mt-0 lg:block lg:w-56 lg:truncate">
        <Link to="/admin-panal/audit-log" search={{ ...selection, subject }} className={linkClass}>
          {subject}
        </Link>
        {user && <UserLink user={user} className={`${linkClass} lg:ml-3`} />}
      </p>
      {hasDetails && (
        <>
          <p className="figures min-w-0 flex-1 truncate max-lg:hidden">
            {!isOpen && <Summary reason={reason} differences={differences} />}
          </p>
          <Button
            variant="ghost"
            size="sm"
            aria-expanded={isOpen}
            aria-label="Details"
            className="ml-auto px-2! max-lg:hidden"
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronDown aria-hidden className={cx(isOpen && 'rotate-180')} />
          </Button>
          <div className={cx('basis-full lg:pb-2', !isOpen && 'lg:hidden')}>
            <Details reason={reason} differences={differences} />
          </div>
        </>
      )}
    </li>
  )
}

type Changes = { reason: string | null; differences: readonly Difference[] }

const Summary = ({ reason, differences }: Changes) => (
  <>
    {reason && <span className="mr-3">“{reason}”</span>}
    {differences.map((difference) => (
      <Fragment key={difference.field}>
        <span className="mr-1.5 text-muted">{difference.field}</span>
        <span className="mr-3">
          <Change {...difference} />
        </span>
      </Fragment>
    ))}
  </>
)

const Details = ({ reason, differences }: Changes) => (
  <>
    {reason && <p className="mt-2 break-words">“{reason}”</p>}
    {differences.length > 0 && (
      <dl className="mt-2.5 grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-6 gap-y-1 text-sm sm:grid-cols-[minmax(8rem,auto)_minmax(0,1fr)]">
        {differences.map((difference) => (
          <div key={difference.field} className="contents">
            <dt className="break-words text-muted">{difference.field}</dt>
            <dd className="figures min-w-0 break-words">
              <Change {...difference} />
            </dd>
          </div>
        ))}
      </dl>
    )}
  </>
)

const Change = ({ before, after }: Difference) =>
  before !== null && after !== null ? (
    <>
      <s className="text-muted no-underline">{before}</s>{' '}
      <ArrowRight role="img" aria-label="changed to" className="mx-0.5 inline size-3.5 text-muted" /> {after}
    </>
  ) : (
    (after ?? before)
  )
