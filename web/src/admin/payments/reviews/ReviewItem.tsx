import { Link } from '@tanstack/react-router'
import type { Review } from '@trunkline/contract/admin-payments'
import { formatDate, formatTime } from '../../../common/format/dates.ts'
import { formatWaited } from '../../../common/format/durations.ts'
import { formatExactMoney } from '../../../common/format/money.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { isRefundable } from '../refund.ts'
import type { PaymentsSearch } from '../search.ts'
import { reviewReasons, reviewStates, storyOf } from './words.ts'

export type Deciding = { review: Review; action: 'credit' | 'ignore' }

type ReviewItemProps = { review: Review; search: PaymentsSearch; onDecide: (deciding: Deciding) => void }

export function ReviewItem({ review, search, onDecide }: ReviewItemProps) {
  const { reason, state, payment, order_id, track_id, created_at, open_since } = review
  const { title } = reviewReasons[reason]
  const story = storyOf(review)
  return (
    <li
      aria-label={`${title}, ${subjectOf(review)}`}
      className="grid gap-x-8 gap-y-4 p-4 sm:p-5 lg:flex lg:flex-wrap lg:items-center lg:gap-x-4 lg:gap-y-1 lg:px-4 lg:py-0.5"
    >
      <div className="min-w-0 lg:contents">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 lg:min-w-72">
          <span className="font-semibold">{title}</span>
          <Badge tone={state === 'open' ? 'pending' : 'neutral'}>{reviewStates[state]}</Badge>
          <span className="text-muted text-sm">
            {formatDate(created_at)}, {formatTime(created_at)}
            {state === 'open' && `, waiting ${formatWaited(open_since)}`}
          </span>
        </p>
        <p title={story} className="figures text-sm max-lg:mt-1.5 lg:min-w-0 lg:flex-1 lg:truncate">
          {story}
        </p>
        <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-muted text-xs max-lg:mt-1.5">
          {payment && (
            <Link
              to="/admin-panal/users/$id"
              params={{ id: String(payment.user.id) }}
              className="font-medium text-ink underline underline-offset-4"
            >
              {payment.user.username}
            </Link>
          )}
          {/* The payment shows both ids too. */}
          {order_id && <span className={cx('break-all font-mono', payment && 'lg:hidden')}>{order_id}</span>}
          {track_id && (
            <span className={cx('break-all font-mono', payment && 'lg:hidden')}>Track {track_id}</span>
          )}
        </p>
        <Choices review={review} search={search} onDecide={onDecide} />
        {review.resolution && (
          <p className="break-words rounded-md border bg-sunken px-3 py-2 text-sm max-lg:mt-3 lg:order-2 lg:basis-full lg:py-1">
            {review.credited > 0 && (
              <strong className="figures font-semibold">
                {formatExactMoney(review.credited)} credited.{' '}
              </strong>
            )}
            {review.resolution} <span className="text-muted">({review.resolved_by})</span>
          </p>
        )}
      </div>
      <Holdings review={review} />
    </li>
  )
}

const subjectOf = ({ id, payment, order_id, track_id }: Review): string | number =>
  payment?.user.username ?? order_id ?? track_id ?? id

function Choices({ review, search, onDecide }: ReviewItemProps) {
  const { state, creditable, payment } = review
  return (
    <div className="flex flex-wrap gap-2 empty:hidden max-lg:mt-3.5 lg:order-1 lg:gap-1">
      {state === 'open' && creditable > 0 && (
        <Button size="sm" onClick={() => onDecide({ review, action: 'credit' })}>
          Credit…<span className="sr-only"> {subjectOf(review)}</span>
        </Button>
      )}
      {state === 'open' && creditable === 0 && payment && isRefundable(payment) && (
        <Link
          to="/admin-panal/payments"
          search={{ ...search, refund: payment.id }}
          resetScroll={false}
          className={buttonClass({ size: 'sm' })}
        >
          Refund…<span className="sr-only"> {subjectOf(review)}</span>
        </Link>
      )}
      {state === 'open' && (
        <Button size="sm" variant="ghost" onClick={() => onDecide({ review, action: 'ignore' })}>
          Ignore…<span className="sr-only"> {subjectOf(review)}</span>
        </Button>
      )}
      {payment && (
        <Link
          to="/admin-panal/payments"
          search={{ ...search, payment: payment.id }}
          resetScroll={false}
          className={buttonClass({ size: 'sm', variant: 'ghost' })}
        >
          View payment {payment.id}
        </Link>
      )}
    </div>
  )
}

function Holdings({ review: { payment, amount, creditable, state } }: { review: Review }) {
  const received = payment?.received ?? amount
  const rows: [name: string, figure: string][] = [
    ...(payment ? [['Requested', formatExactMoney(payment.amount)] as [string, string]] : []),
    ['Received', received === null ? 'unknown' : formatExactMoney(received)],
    ...(payment ? [['Credited', formatExactMoney(payment.paid)] as [string, string]] : []),
    ...(payment && payment.refunded > 0
      ? [['Refunded', formatExactMoney(payment.refunded)] as [string, string]]
      : []),
    ...(state === 'open' ? [['Available to credit', formatExactMoney(creditable)] as [string, string]] : []),
  ]
  return (
    <dl
      title={rows.map(([name, figure]) => `${name}: ${figure}`).join('\n')}
      className="h-fit text-sm max-lg:divide-y max-lg:rounded-md max-lg:border max-lg:bg-sunken max-lg:px-3 lg:w-52"
    >
      {rows.map(([name, figure]) => (
        <div
          key={name}
          className="flex justify-between gap-4 py-1.5 last:font-semibold lg:py-0 lg:not-last:hidden"
        >
          <dt className="text-muted">{name}</dt>
          <dd className="figures">{figure}</dd>
        </div>
      ))}
    </dl>
  )
}
