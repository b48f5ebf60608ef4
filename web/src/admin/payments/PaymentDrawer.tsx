import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '@trunkline/contract'
import type { AdminPayment } from '@trunkline/contract/admin-payments'
import { paymentStates } from '@trunkline/contract/payment-states'
import type { ReactNode } from 'react'
import { explain } from '../../app/api.ts'
import { inDollars } from '../../common/dollars.ts'
import { Facts } from '../../common/Facts.tsx'
import { Failure } from '../../common/Failure.tsx'
import { exactly } from '../../common/payments/dates.ts'
import { exactDollars } from '../../common/prices.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Events, Postings, Refunds, Reviews } from './History.tsx'
import { paymentQuery } from './queries.ts'
import { isRefundable } from './refund.ts'
import { StatusWords } from './StatusWords.tsx'
import { kinds } from './search.ts'

type PaymentDrawerProps = {
  id: number | undefined
  onRefund: (id: number) => void
  onClose: () => void
}

/** One payment: what it is, what became of it step by step, and what it moved in the ledger. */
export function PaymentDrawer({ id, onRefund, onClose }: PaymentDrawerProps) {
  const { data, error, refetch } = useQuery({ ...paymentQuery(id ?? 0), enabled: id !== undefined })
  const payment = data?.payment
  return (
    <Drawer
      open={id !== undefined}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Payment ${id ?? ''}`}
      description={
        payment ? `${kinds[payment.kind]} of ${payment.user.username}` : 'One payment, step by step'
      }
    >
      {data ? (
        <Details details={data} onRefund={() => onRefund(data.payment.id)} />
      ) : error ? (
        <Failure onRetry={() => void refetch()}>{explain(error, 'The payment could not be loaded.')}</Failure>
      ) : (
        <Waiting />
      )}
    </Drawer>
  )
}

type DetailsProps = { details: AnswerOf<'GET /api/admin/payments/:id'>; onRefund: () => void }

function Details({ details: { payment, events, postings, refunds, reviews }, onRefund }: DetailsProps) {
  return (
    <div className="flex flex-col gap-7">
      <div>
        <dl className="flex flex-wrap gap-x-8 gap-y-3">
          <Figure name="Amount" amount={payment.amount} />
          <Figure name="Paid" amount={payment.paid} />
          <Figure name="To balance" amount={payment.credited} />
          {payment.refunded > 0 && <Figure name="Refunded" amount={payment.refunded} />}
        </dl>
        <p className="mt-4 flex flex-wrap items-center gap-2.5 text-sm">
          <StatusWords payment={payment} />
          {paymentStates[payment.state].explanation}
        </p>
        <div className="mt-4 flex flex-wrap gap-2">
          {isRefundable(payment) && (
            <Button size="sm" onClick={onRefund}>
              Refund
            </Button>
          )}
          <Link
            to="/admin-panal/balances"
            search={{ user: payment.user.id }}
            className={buttonClass({ size: 'sm', variant: 'ghost' })}
          >
            Statement of {payment.user.username}
          </Link>
          {payment.open_reviews > 0 && (
            <Link
              to="/admin-panal/payments"
              search={{ view: 'reviews' }}
              className={buttonClass({ size: 'sm', variant: 'ghost' })}
            >
              Review list
            </Link>
          )}
        </div>
      </div>
      {reviews.length > 0 && (
        <Part title="For review">
          <Reviews reviews={reviews} />
        </Part>
      )}
      {refunds.length > 0 && (
        <Part title="Refunds">
          <Refunds refunds={refunds} />
        </Part>
      )}
      <Part title="What happened">
        <Events events={events} />
      </Part>
      <Part title="In the ledger">
        <Postings postings={postings} />
      </Part>
      <Part title="The record">
        <Facts facts={factsOf(payment)} />
      </Part>
    </div>
  )
}

const Figure = ({ name, amount }: { name: string; amount: number }) => (
  <div>
    <dt className="engraved text-muted">{name}</dt>
    <dd className="figures mt-1 font-semibold text-2xl tracking-tight">{inDollars(amount)}</dd>
  </div>
)

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h3 className="mb-3 font-semibold">{title}</h3>
    {children}
  </section>
)

function factsOf(payment: AdminPayment): [name: string, value: string][] {
  const facts: [name: string, value: string | null][] = [
    ['Order', payment.order_id],
    ['Track id', payment.track_id],
    ['Asked for', exactDollars(payment.amount)],
    ['Received, as the provider says', payment.received === null ? null : exactDollars(payment.received)],
    ['Promo code', payment.promo_code],
    ['Bonus', payment.bonus > 0 ? exactDollars(payment.bonus) : null],
    ['Begun', exactly(payment.created_at)],
    ['Booked', payment.paid_at && exactly(payment.paid_at)],
    ['Expires', payment.expires_at && exactly(payment.expires_at)],
  ]
  return facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value]]))
}

const Waiting = () => (
  <div aria-busy="true" className="flex flex-col gap-7">
    <p className="sr-only" role="status">
      Loading...
    </p>
    <div className="grid grid-cols-3 gap-3">
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
    </div>
    {[0, 1, 2].map((part) => (
      <div key={part} className="flex flex-col gap-3">
        <Skeleton className="h-5 w-44" />
        <Skeleton className="w-full" />
        <Skeleton className="w-4/5" />
      </div>
    ))}
  </div>
)
