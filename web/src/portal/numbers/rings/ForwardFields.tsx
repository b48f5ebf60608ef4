import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages'
import type { Quote } from '@trunkline/contract/pricing'
import { explain } from '../../../app/api.ts'
import { formatRate } from '../../../common/format/money.ts'
import { billingTerms } from '../../../common/prices.ts'
import { useRested } from '../../../common/use-rested.ts'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Select } from '../../../ui/Select.tsx'
import { quoteQuery } from '../../trunks/queries.ts'
import { nameOf } from '../../trunks/route-groups.ts'
import { binder, type DestinationProps } from './fields.ts'
import { isInternational } from './ring-form.ts'
import { SecondsField } from './SecondsField.tsx'

/** An outgoing call to another number, with its price. */
export function ForwardFields({ values, path, errors, onEdit, ownNumber }: DestinationProps) {
  const bind = binder(values, path, onEdit)
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <Field label="Number" error={errors[`${path}.number`]}>
          <Input
            {...bind('number')}
            type="tel"
            maxLength={30}
            autoComplete="off"
            placeholder="+44 20 7946 0123"
            className="figures"
          />
        </Field>
        <Field label="Caller ID shown">
          <Select {...bind('callerId')}>
            <option value="number">This number ({ownNumber})</option>
            <option value="caller">The caller’s number</option>
          </Select>
        </Field>
        <SecondsField {...bind('seconds')} error={errors[`${path}.seconds`]} />
      </div>
      <Price number={values.number.trim()} />
    </div>
  )
}

/** The price of the forwarded leg, which the customer pays in addition to the incoming one. */
function Price({ number }: { number: string }) {
  const rested = useRested(number)
  const isNumber = isInternational(rested)
  const { data, error } = useQuery({ ...quoteQuery(rested), enabled: isNumber })
  return (
    <div aria-live="polite" className="min-h-5 text-sm">
      {!isNumber ? (
        <p className="text-muted">Enter a number to see the price of forwarded calls.</p>
      ) : data ? (
        <Answer quote={data} />
      ) : (
        <p className="text-muted">{error ? explain(error, messages.pricingFailed) : 'Loading the price…'}</p>
      )}
    </div>
  )
}

function Answer({ quote }: { quote: Quote }) {
  const { country, route, rate, connect_fee, first_increment, next_increment } = quote
  const terms =
    connect_fee !== null && first_increment !== null && next_increment !== null
      ? billingTerms({ connect_fee, first_increment, next_increment })
      : null
  // A forwarded call shows this number or the caller's, so a missing caller ID of the account is no problem.
  const isRefused =
    !quote.allowed && quote.reason !== 'no_caller_id' && quote.reason !== 'caller_id_unapproved'
  return (
    <>
      {route && rate !== null && (
        <p className="figures">
          You pay <span className="font-medium">{formatRate(rate)}</span> for each forwarded call to{' '}
          {country ?? 'this number'}
          {terms && `, ${terms}`}, with your route {nameOf(route)}.
        </p>
      )}
      {isRefused && (
        <p className="text-pending">
          {quote.message ?? 'Calls to this number are refused.'}{' '}
          {quote.reason === 'no_route' && (
            <Link to="/dashboard/trunks" className="font-medium text-ink underline">
              Choose a route
            </Link>
          )}
        </p>
      )}
    </>
  )
}
