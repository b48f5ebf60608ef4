import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Quote } from '@trunkline/contract/pricing'
import { formatRate } from '../../common/format/money.ts'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { billingTerms } from '../../common/prices.ts'
import { useRested } from '../../common/use-rested.ts'
import { cx } from '../../ui/cx.ts'
import { wordsOfState } from '../home/caller-id/caller-id.ts'
import { callerIdQuery } from '../home/queries.ts'
import { quoteQuery } from '../trunks/queries.ts'
import { helpFor } from './engine/words.ts'
import { helpLinks } from './look.ts'

/** Shorter input is not looked up. */
const LEAST_DIGITS = 6

/** Destination, price and caller ID of the call, or the reason why it would be refused. */
export function DialPreview({ number }: { number: string }) {
  const rested = useRested(number)
  const isNumber = rested.replace(/\D/g, '').length >= LEAST_DIGITS
  const { data, isError } = useQuery({ ...quoteQuery(rested), enabled: isNumber })
  const callerId = useQuery(callerIdQuery).data
  const shownAs = callerId?.callerid
  const isUnapproved = callerId?.approval && callerId.approval.state !== 'approved'
  return (
    <div aria-live="polite" className="mt-2 flex min-h-11 flex-col justify-center text-sm">
      {isNumber && data ? (
        <Answer quote={data} />
      ) : (
        <p className="text-muted">
          {isError ? 'The price could not be loaded.' : 'Include the country code, e.g. +44'}
        </p>
      )}
      {callerId && (
        <p className="text-muted text-xs">
          {shownAs === null ? (
            <>
              No Caller ID is set, so calls are refused. <HelpLink help="caller-id" />
            </>
          ) : (
            <>
              {isUnapproved ? 'Caller ID' : 'Shown as'}{' '}
              <span className="figures">
                <PhoneNumber of={`+${shownAs}`} />
              </span>
              {isUnapproved && `: ${wordsOfState(callerId)}`}
            </>
          )}
        </p>
      )}
    </div>
  )
}

function Answer({ quote }: { quote: Quote }) {
  const { country, line_type, rate, connect_fee, first_increment, next_increment, message } = quote
  const where = [country, line_type?.replaceAll('_', ' ')].filter(Boolean).join(', ')
  const terms =
    connect_fee !== null && first_increment !== null && next_increment !== null
      ? billingTerms({ connect_fee, first_increment, next_increment })
      : null
  // The line below already explains a missing or unapproved caller ID.
  const isToldBelow = quote.reason === 'no_caller_id' || quote.reason === 'caller_id_unapproved'
  const refusal = quote.allowed || isToldBelow ? null : message
  const help = refusal ? helpFor(refusal) : null
  return (
    <>
      <p className="flex justify-between gap-3">
        <span className="min-w-0 truncate">{where || 'Unknown country'}</span>
        {rate !== null && <span className="figures shrink-0 font-medium">{formatRate(rate)}</span>}
      </p>
      {terms && <p className="text-muted text-xs">{terms}</p>}
      {refusal && (
        <p className="text-pending text-xs">
          {refusal} {help && help !== 'caller-id' && <HelpLink help={help} />}
        </p>
      )}
    </>
  )
}

export function HelpLink({ help, className }: { help: keyof typeof helpLinks; className?: string }) {
  const { to, hash, label } = helpLinks[help]
  return (
    <Link to={to} {...(hash && { hash })} className={cx('font-medium text-ink underline', className)}>
      {label}
    </Link>
  )
}
