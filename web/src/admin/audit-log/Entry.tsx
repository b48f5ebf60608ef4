import { Link } from '@tanstack/react-router'
import type { AuditEntry } from '@trunkline/contract/audit-log'
import { ArrowRight } from 'lucide-react'
import { formatDateTime } from '../../common/format/dates.ts'
import type { Selection } from './search.ts'
import { differencesIn, sayAction } from './words.ts'

const linkClass = 'rounded-sm py-0.5 underline underline-offset-4'

export function Entry({ entry, selection }: { entry: AuditEntry; selection: Selection }) {
  const { at, by, action, subject, user, reason } = entry
  const differences = differencesIn(entry)
  return (
    <li className="px-5 py-4">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Link
          to="/admin-panal/audit-log"
          search={{ ...selection, by: by.id }}
          className={`${linkClass} font-semibold`}
        >
          {by.username}
        </Link>{' '}
        <span>{sayAction(action)}</span>
        <time dateTime={at} className="figures text-muted text-sm sm:ml-auto">
          {formatDateTime(at)}
        </time>
      </p>
      <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted text-sm">
        <Link to="/admin-panal/audit-log" search={{ ...selection, subject }} className={linkClass}>
          {subject}
        </Link>
        {user && (
          <Link to="/admin-panal/users/$id" params={{ id: String(user.id) }} className={linkClass}>
            {user.username}
          </Link>
        )}
      </p>
      {reason && <p className="mt-2 break-words">“{reason}”</p>}
      {differences.length > 0 && (
        <dl className="mt-2.5 grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[minmax(8rem,auto)_minmax(0,1fr)]">
          {differences.map(({ field, before, after }) => (
            <div key={field} className="contents">
              <dt className="text-muted">{field}</dt>
              <dd className="figures min-w-0 break-words max-sm:mb-1.5">
                {before !== null && after !== null ? (
                  <>
                    <s className="text-muted no-underline">{before}</s>{' '}
                    <ArrowRight
                      role="img"
                      aria-label="changed to"
                      className="mx-0.5 inline size-3.5 text-muted"
                    />{' '}
                    {after}
                  </>
                ) : (
                  (after ?? before)
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}
