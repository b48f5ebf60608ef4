import { Link } from '@tanstack/react-router'
import { type AlertTopic, titleOfKind, topicOfKind } from '@trunkline/contract/alert-topics'
import type { Alert } from '@trunkline/contract/alerts'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../common/format/dates.ts'
import { formatNumber } from '../../common/format/numbers.ts'
import { TextWithPhoneNumbers } from '../../common/PhoneNumber.tsx'
import { Badge, type BadgeTone } from '../../ui/Badge.tsx'
import { Button, inRowClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { aboveFoldClass, FoldButton } from '../../ui/FoldButton.tsx'
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

const linkClass = cx('rounded-sm py-0.5 text-sm underline underline-offset-4', aboveFoldClass)

/** One line on wide screens, which opens to the whole text. */
export function AlertRow({ alert }: { alert: Alert }) {
  const { id, kind, message, times, first_at, last_at, user, acknowledged_at, acknowledged_by } = alert
  const [isOpen, setOpen] = useState(false)
  const acknowledge = useAcknowledge()
  const title = titleOfKind(kind)
  const name = user ? `${title} of ${user.username}` : title
  return (
    <li>
      <article
        aria-label={`${title}: ${message}`}
        className={cx(
          'relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 gap-y-1 px-4 py-3 lg:flex lg:min-h-9 lg:gap-x-4 lg:py-1 lg:text-sm',
          isOpen ? 'lg:items-start' : 'hover:bg-ink/3',
        )}
      >
        <p
          className={cx(
            'col-span-2 flex items-center gap-x-2.5 gap-y-1 lg:min-h-7 lg:w-88 lg:shrink-0',
            isOpen ? 'flex-wrap' : 'max-lg:flex-wrap',
          )}
        >
          <Badge tone={tones[topicOfKind(kind) ?? 'guard_fired'] ?? 'danger'}>{title}</Badge>
          {user && (
            <UserLink
              user={user}
              className={cx(linkClass, 'min-w-0 break-all font-medium', !isOpen && 'lg:truncate')}
            />
          )}
          <Target alert={alert} />
        </p>
        <p className={cx('col-span-2 min-w-0 lg:flex-1', isOpen ? 'break-words lg:py-1' : 'truncate')}>
          <TextWithPhoneNumbers text={message} />
        </p>
        <div
          className={cx(
            'figures min-w-0 text-muted text-sm lg:flex lg:shrink-0 lg:gap-x-4',
            isOpen ? 'lg:max-w-80 lg:flex-col lg:py-1 lg:text-right' : 'lg:max-w-112',
          )}
        >
          <p className="lg:shrink-0">
            {times > 1 && (
              <>
                {formatNumber(times)} times
                <span className={cx(!isOpen && 'sr-only')}> since {formatDateTime(first_at)}</span>, last{' '}
              </>
            )}
            {formatDateTime(last_at)}
          </p>
          {acknowledged_at !== null && (
            <p className={cx(!isOpen && 'truncate')}>
              {acknowledged_by ? `Acknowledged by ${acknowledged_by.username}` : 'Resolved automatically'}{' '}
              {formatDateTime(acknowledged_at)}
            </p>
          )}
        </div>
        <div className="flex items-center gap-1 justify-self-end">
          {acknowledged_at === null && (
            <Button
              size="sm"
              className={cx(aboveFoldClass, inRowClass)}
              busy={acknowledge.isPending}
              onClick={() => acknowledge.mutate(id)}
            >
              <Check aria-hidden className="max-sm:hidden" />
              Acknowledge
              <span className="sr-only">{name}</span>
            </Button>
          )}
          <FoldButton of={name} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        </div>
      </article>
    </li>
  )
}

/** Links to the subject of the alert, unless that is only the user. */
function Target({ alert }: { alert: Alert }) {
  const target = targetOf(alert)
  const look = cx(linkClass, 'shrink-0 text-muted')
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
