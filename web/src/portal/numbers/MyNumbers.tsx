import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RentedNumber } from '@trunkline/contract/numbers'
import { PhoneIncoming } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../common/format/dates.ts'
import { formatRate } from '../../common/format/money.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { numberTypeWords } from '../../common/number-types.ts'
import { PhoneNumber, TextWithPhoneNumbers } from '../../common/PhoneNumber.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { SkeletonList } from '../../ui/Skeleton.tsx'
import { useFlowNames } from '../flow-queries.ts'
import { CountryCodePlate } from '../trunks/CountryCard.tsx'
import { CancelNumber } from './CancelNumber.tsx'
import { numbersQuery } from './queries.ts'
import { RecordCalls } from './RecordCalls.tsx'
import { TestButton, TestResult, useTestCall } from './TestCall.tsx'
import { describePlan, lookOf, monthlyWords, showNumber } from './words.ts'

export const MyNumbers = () => (
  <ListCard
    label="My numbers"
    query={useQuery(numbersQuery)}
    failed="Your numbers could not be loaded."
    heading={<h3 className="px-5 pt-5 pb-3 font-semibold text-lg tracking-tight">My numbers</h3>}
    waiting={
      <SkeletonList
        rows={2}
        className="h-28 items-center gap-6 px-5"
        parts={['w-44', 'w-64 max-md:hidden', 'ml-auto w-24']}
      />
    }
  >
    {(numbers) =>
      numbers.length === 0 ? (
        <EmptyState
          icon={<PhoneIncoming />}
          title="No numbers yet"
          text="Rent a number below. It rings your phones and this browser right away."
        />
      ) : (
        <ul className="divide-y border-t">
          {numbers.map((number) => (
            <NumberRow key={number.id} number={number} />
          ))}
        </ul>
      )
    }
  </ListCard>
)

function NumberRow({ number }: { number: RentedNumber }) {
  const { tone, label, advice } = lookOf(number)
  const test = useTestCall(number)
  return (
    <li
      aria-label={showNumber(number.number)}
      className="grid gap-x-8 gap-y-3 px-5 py-4 lg:grid-cols-[15rem_minmax(0,1fr)_auto]"
    >
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
          <CountryCodePlate code={number.country_code} />
          <span className="figures font-semibold text-lg tracking-tight">
            <PhoneNumber of={number.number} />
          </span>
        </p>
        <p className="mt-1 text-muted text-sm">{placeOf(number)}</p>
        <p className="mt-1.5">
          <Badge tone={tone}>{label}</Badge>
        </p>
      </div>
      <div className="min-w-0">
        <Rings number={number} />
        <p className="figures mt-2 text-muted text-sm">{priceWords(number)}</p>
        <div className="mt-2">
          <RecordCalls number={number} />
        </div>
      </div>
      <Actions number={number} test={test} />
      <TestResult number={number} test={test} className="lg:col-span-3" />
      {advice && (
        <Notice tone={number.state === 'suspended' ? 'danger' : 'pending'} className="lg:col-span-3">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p>{advice}</p>
            <Link to="/dashboard/topup" className={buttonClass({ size: 'sm' })}>
              Top Up
            </Link>
          </div>
        </Notice>
      )}
    </li>
  )
}

/** `London, United Kingdom, local`. */
export const placeOf = ({ area, country, type }: Pick<RentedNumber, 'area' | 'country' | 'type'>): string =>
  [area, country, numberTypeWords[type].toLowerCase()].filter(Boolean).join(', ')

function priceWords({ monthly, price, state, cancels, paid_until }: RentedNumber): string {
  const renewal =
    state !== 'active'
      ? `paid until ${formatDate(paid_until)}`
      : cancels
        ? 'no renewal'
        : `renews on ${formatDate(paid_until)}`
  return `${monthlyWords(monthly)}, ${renewal}. Incoming calls: ${formatRate(price)}.`
}

function Rings({ number }: { number: RentedNumber }) {
  const flows = useFlowNames()
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {describePlan(number.ring_plan, flows).map(({ when, what }) => (
        <li key={`${when} ${what}`} className="figures">
          {when && <span className="font-medium">{when}: </span>}
          <TextWithPhoneNumbers text={what} />
        </li>
      ))}
    </ul>
  )
}

function Actions({ number, test }: { number: RentedNumber; test: ReturnType<typeof useTestCall> }) {
  const [isAsking, setAsking] = useState(false)
  const name = showNumber(number.number)
  const action = number.cancels ? 'Keep number' : 'Cancel number'
  return (
    <div className="flex flex-wrap content-start gap-2 lg:max-w-52 lg:justify-end">
      <Link
        to="/dashboard/numbers"
        search={{ rings: number.id }}
        aria-label={`Where it rings: ${name}`}
        className={buttonClass({ size: 'sm' })}
      >
        Where it rings
      </Link>
      <TestButton number={number} test={test} />
      <Button
        size="sm"
        variant={number.cancels ? 'secondary' : 'ghost'}
        aria-label={`${action} ${name}`}
        onClick={() => setAsking(true)}
      >
        {action}
      </Button>
      {isAsking && <CancelNumber number={number} onClose={() => setAsking(false)} />}
    </div>
  )
}
