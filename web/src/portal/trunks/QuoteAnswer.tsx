import { Link } from '@tanstack/react-router'
import type { Quote } from '@trunkline/contract/pricing'
import type { ReactNode } from 'react'
import { formatExactMoney, formatRate } from '../../common/format/money.ts'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { billingTerms } from '../../common/prices.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { CountryCodePlate } from './CountryCard.tsx'
import { nameOf } from './route-groups.ts'

type QuoteAnswerProps = {
  quote: Quote
  hasRoutes: (countryCode: string) => boolean
  onChooseRoute: (countryCode: string) => void
}

export function QuoteAnswer({ quote, ...choice }: QuoteAnswerProps) {
  const { number, country, country_code, line_type, route, rate, one_minute, five_minutes } = quote
  return (
    <div className="flex flex-col gap-4">
      {number !== null && (
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          {country_code && <CountryCodePlate code={country_code} />}
          <span className="figures font-semibold text-lg tracking-tight">
            <PhoneNumber of={`+${number}`} />
          </span>
          <span className="text-muted text-sm">
            {[country, line_type && lineTypes[line_type]].filter(Boolean).join(', ')}
          </span>
        </div>
      )}
      {route && rate !== null && (
        <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-[auto_auto_auto_minmax(0,1fr)]">
          <Figure name="Price">{formatRate(rate)}</Figure>
          <Figure name="One minute">{one_minute === null ? '–' : formatExactMoney(one_minute)}</Figure>
          <Figure name="Five minutes">{five_minutes === null ? '–' : formatExactMoney(five_minutes)}</Figure>
          <div className="min-w-0">
            <dt className="engraved text-muted">Your route</dt>
            <dd className="mt-0.5 text-sm">
              {nameOf(route)}
              <span className="figures block text-muted text-xs">{fineprint(quote)}</span>
            </dd>
          </div>
        </dl>
      )}
      {!quote.allowed && (
        <Notice tone={route ? 'pending' : 'info'}>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p>{quote.message ?? 'Calls to this number are refused.'}</p>
            <NextStep quote={quote} {...choice} />
          </div>
        </Notice>
      )}
    </div>
  )
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="max-sm:flex max-sm:items-baseline max-sm:justify-between">
    <dt className="engraved text-muted">{name}</dt>
    <dd className="figures mt-0.5 font-semibold text-lg">{children}</dd>
  </div>
)

const lineTypes: Record<NonNullable<Quote['line_type']>, string> = {
  mobile: 'mobile phone',
  landline: 'landline',
  landline_or_mobile: 'landline or mobile phone',
  toll_free: 'toll-free number',
  premium_rate: 'premium-rate number',
  shared_cost: 'shared-cost number',
  voip: 'VoIP number',
  personal: 'personal number',
  satellite: 'satellite phone',
  other: 'other number',
}

function fineprint({ prefix, connect_fee, first_increment, next_increment }: Quote): string {
  const terms =
    connect_fee === null || first_increment === null || next_increment === null
      ? null
      : billingTerms({ connect_fee, first_increment, next_increment })
  return [prefix === null ? null : `price for +${prefix}`, terms ?? 'billed per second']
    .filter(Boolean)
    .join(', ')
}

/** The action that would allow the call, if the customer can take it. */
function NextStep({ quote, hasRoutes, onChooseRoute }: QuoteAnswerProps) {
  const { reason, country, country_code } = quote
  const look = buttonClass({ size: 'sm' })
  switch (reason) {
    case 'no_route':
      return country_code && hasRoutes(country_code) ? (
        <Button size="sm" onClick={() => onChooseRoute(country_code)}>
          Choose a route for {country}
        </Button>
      ) : (
        <Link to="/dashboard/support" className={look}>
          Request a route to {country}
        </Link>
      )
    case 'premium_route':
      return (
        <Link to="/dashboard/upgrade" className={look}>
          Upgrade
        </Link>
      )
    case 'no_balance':
      return (
        <Link to="/dashboard/topup" className={look}>
          Top Up
        </Link>
      )
    case 'no_caller_id':
      return (
        <Link to="/dashboard" className={look}>
          Set Caller ID
        </Link>
      )
    case 'caller_id_unapproved':
      return (
        <Link to="/dashboard" className={look}>
          View Caller ID
        </Link>
      )
    case 'calls_stopped':
    case 'country_blocked':
    case 'high_risk_blocked':
    case 'price_above_limit':
    case 'daily_spend_reached':
      return (
        <Link to="/dashboard/profile" className={look}>
          View limits
        </Link>
      )
    default:
      return null
  }
}
