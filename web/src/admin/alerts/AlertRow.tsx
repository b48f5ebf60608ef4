import { Link } from '@tanstack/react-router'
import { type AlertTopic, titleOfKind, topicOfKind } from '@trunkline/contract/alert-topics'
import type { Alert } from '@trunkline/contract/alerts'
import { Check } from 'lucide-react'
import { formatDateTime } from '../../common/format/dates.ts'
import { formatNumber } from '../../common/format/numbers.ts'
import { TextWithPhoneNumbers } from '../../common/PhoneNumber.tsx'
import { Badge, type BadgeTone } from '../../ui/Badge.tsx'
import { Button, inRowClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { UserLink } from '../users/UserLink.tsx'
import { useAcknowledge } from './queries.ts'
import { targetOf } from './target.ts'

const tones: Partial<Record<AlertTopic, BadgeTone>> = {
  large_top_up: 'signal',
  low_balance: 'pending',
  payment_review: 'pending',
  trusted_address: 'signal',
  caller_id_request: 'pending',
}

const linkClass = 'rounded-sm py-0.5 underline underline-offset-4'

export function AlertRow({ alert }: { alert: Alert }) {
  const { id, kind, message, times, first_at, last_at, user, acknowledged_at, acknowledged_by } = alert
  const title = titleOfKind(kind)
  const acknowledge = useAcknowledge()
  return (
    <li>
      <article
        aria-label={`${title}: ${message}`}
        className="flex flex-col gap-x-6 gap-y-3 px-5 py-4 sm:flex-row sm:items-center lg:min-h-9 lg:gap-x-4 lg:px-4 lg:py-1 lg:text-sm"
      >
        <div className="min-w-0 flex-1 lg:flex lg:items-center lg:gap-x-4">
          <p className="mb-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 lg:mb-0 lg:w-88 lg:shrink-0">
            <Badge tone={tones[topicOfKind(kind) ?? 'guard_fired'] ?? 'danger'}>{title}</Badge>
            {user && <UserLink user={user} className={`${linkClass} font-medium text-sm`} />}
            <Target alert={alert} />
          </p>
          <p className="min-w-0 break-words lg:flex-1">
            <TextWithPhoneNumbers text={message} />
          </p>
          <p className="figures mt-1 text-muted text-sm lg:mt-0 lg:shrink-0">
            {times > 1 && (
              <>
                {formatNumber(times)} times
                <span className="lg:sr-only"> since {formatDateTime(first_at)}</span>, last{' '}
              </>
            )}
            {formatDateTime(last_at)}
          </p>
        </div>
        {acknowledged_at === null ? (
          <Button
            size="sm"
            className={cx('self-start sm:self-center', inRowClass)}
            busy={acknowledge.isPending}
            onClick={() => acknowledge.mutate(id)}
          >
            <Check aria-hidden />
            Acknowledge
            <span className="sr-only">
              {title}
              {user && ` of ${user.username}`}
            </span>
          </Button>
        ) : (
          <p className="figures shrink-0 text-muted text-sm sm:text-right">
            {acknowledged_by ? `Acknowledged by ${acknowledged_by.username}` : 'Resolved automatically'}
            <br className="lg:hidden" /> {formatDateTime(acknowledged_at)}
          </p>
        )}
      </article>
    </li>
  )
}

/** Links to the subject of the alert, unless that is only the user. */
function Target({ alert }: { alert: Alert }) {
  const target = targetOf(alert)
  const look = `${linkClass} text-muted text-sm`
  switch (target?.at) {
    case 'trunks':
      return (
        <Link to="/admin-panal/trunks" className={look}>
          Trunks & Plans
        </Link>
      )
    case 'routes':
      return (
        <Link to="/admin-panal" className={look}>
          Routes
        </Link>
      )
    case 'routing':
      return (
        <Link to="/admin-panal/trunks/routing" className={look}>
          Routing rules
        </Link>
      )
    case 'payment':
      return (
        <Link to="/admin-panal/payments" search={{ payment: target.id }} className={look}>
          Payment {target.id}
        </Link>
      )
    case 'reviews':
      return (
        <Link to="/admin-panal/payments" search={{ view: 'reviews' }} className={look}>
          Review list
        </Link>
      )
    case 'caller-ids':
      return (
        <Link to="/admin-panal/support" search={{ view: 'caller-ids' }} className={look}>
          Caller IDs
        </Link>
      )
    default:
      return null
  }
}
