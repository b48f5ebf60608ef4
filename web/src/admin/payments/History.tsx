import type { PaymentEvent, PaymentPosting, Refund, Review } from '@trunkline/contract/admin-payments'
import { postingKinds } from '@trunkline/contract/posting-kinds'
import { formatDateTime } from '../../common/format/dates.ts'
import { formatExactMoney, formatSignedMoney } from '../../common/format/money.ts'
import { Badge } from '../../ui/Badge.tsx'
import { cx } from '../../ui/cx.ts'
import { Lamp, type LampState } from '../../ui/Lamp.tsx'
import { reviewReasons, reviewStates } from './reviews/words.ts'

const When = ({ moment }: { moment: string }) => (
  <time dateTime={moment} className="figures shrink-0 text-muted text-xs">
    {formatDateTime(moment)}
  </time>
)

const sources: Record<PaymentEvent['source'], string> = {
  us: 'Portal',
  callback: 'Provider callback',
  poll: 'Provider status check',
  admin: 'Administrator',
}

export const Events = ({ events }: { events: readonly PaymentEvent[] }) => (
  <ol>
    {events.map((event, at) => {
      const isLast = at === events.length - 1
      const { id, source, status, received, outcome, by, note } = event
      return (
        <li key={id} className="flex gap-3">
          <span aria-hidden className="flex flex-col items-center">
            <Lamp lit={lampOf(event)} label="" />
            {!isLast && <span className="my-0.5 w-px flex-1 bg-edge/55" />}
          </span>
          <div className={cx('min-w-0 flex-1 text-sm', !isLast && 'pb-4')}>
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium">
                {sources[source]}
                {by && ` ${by}`}
              </span>
              <When moment={event.at} />
            </p>
            {status !== null && (
              <p className="text-muted">
                Reported <span className="font-mono text-xs">{status}</span>
                {received !== null && received > 0 && `, ${formatExactMoney(received)} received`}
              </p>
            )}
            <p className="break-words">
              {outcome.length > 0 ? asSentence(outcome) : 'No change: already known'}
            </p>
            {note && <p className="break-words text-muted">{note}</p>}
          </div>
        </li>
      )
    })}
  </ol>
)

const asSentence = (parts: readonly string[]): string => {
  const joined = parts.join('; ')
  return joined.charAt(0).toUpperCase() + joined.slice(1)
}

function lampOf({ outcome }: PaymentEvent): LampState {
  const text = outcome.join(' ')
  if (/failed|expired/.test(text)) return 'danger'
  if (/review|unknown|underpaid/.test(text)) return 'pending'
  return outcome.length > 0 ? 'signal' : 'off'
}

export const Postings = ({ postings }: { postings: readonly PaymentPosting[] }) =>
  postings.length === 0 ? (
    <p className="text-muted text-sm">No money was booked for this payment.</p>
  ) : (
    <ul className="divide-y">
      {postings.map(({ id, at, kind, amount, to_balance, balance, by }) => (
        <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-2.5 text-sm first:pt-0">
          <p className="font-medium">{postingKinds[kind]}</p>
          <p className="figures text-right font-semibold">{formatExactMoney(amount)}</p>
          <p className="text-muted text-xs">
            <When moment={at} />
            {by && ` · ${by}`}
          </p>
          <p className="figures text-right text-muted text-xs">
            {to_balance === 0
              ? 'no change to the balance'
              : `balance ${formatSignedMoney(to_balance)}, now ${formatExactMoney(balance)}`}
          </p>
        </li>
      ))}
    </ul>
  )

export const Refunds = ({ refunds }: { refunds: readonly Refund[] }) => (
  <ul className="divide-y">
    {refunds.map(({ id, amount, to, reference, reason, by, created_at }) => (
      <li key={id} className="py-2.5 text-sm first:pt-0">
        <p className="flex justify-between gap-4">
          <span className="font-medium">
            {to === 'balance' ? 'To balance' : 'Refunded externally'} by {by}
          </span>
          <span className="figures font-semibold">{formatExactMoney(amount)}</span>
        </p>
        <p className="break-words">{reason}</p>
        {reference && <p className="break-all font-mono text-muted text-xs">{reference}</p>}
        <When moment={created_at} />
      </li>
    ))}
  </ul>
)

export const Reviews = ({ reviews }: { reviews: readonly Review[] }) => (
  <ul className="divide-y">
    {reviews.map(({ id, reason, state, amount, resolution, resolved_by, created_at }) => (
      <li key={id} className="py-2.5 text-sm first:pt-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{reviewReasons[reason].title}</span>
          <Badge tone={state === 'open' ? 'pending' : 'neutral'}>{reviewStates[state]}</Badge>
          {amount !== null && (
            <span className="figures ml-auto font-semibold">{formatExactMoney(amount)}</span>
          )}
        </p>
        {resolution && (
          <p className="break-words">
            {resolution} <span className="text-muted">({resolved_by})</span>
          </p>
        )}
        <When moment={created_at} />
      </li>
    ))}
  </ul>
)
