import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '@trunkline/contract'
import type { AdminPayment } from '@trunkline/contract/admin-payments'
import { paymentStates } from '@trunkline/contract/payment-states'
import { Figure, Part, WaitingForDetails } from '../../common/Details.tsx'
import { Facts, known } from '../../common/Facts.tsx'
import { formatDateTimeWithZone } from '../../common/format/dates.ts'
import { formatExactMoney, formatMoney } from '../../common/format/money.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
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

export function PaymentDrawer({ id, onRefund, onClose }: PaymentDrawerProps) {
  const read = useQuery({ ...paymentQuery(id ?? 0), enabled: id !== undefined })
  const payment = read.data?.payment
  return (
    <Drawer
      open={id !== undefined}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Payment ${id ?? ''}`}
      description={payment ? `${kinds[payment.kind]} of ${payment.user.username}` : 'Payment details'}
    >
      <Loaded query={read} failed="The payment could not be loaded." waiting={<WaitingForDetails />}>
        {(details) => <Details details={details} onRefund={() => onRefund(details.payment.id)} />}
      </Loaded>
    </Drawer>
  )
}

type DetailsProps = { details: AnswerOf<'GET /api/admin/payments/:id'>; onRefund: () => void }

function Details({ details: { payment, events, postings, refunds, reviews }, onRefund }: DetailsProps) {
  return (
    <div className="flex flex-col gap-7">
      <div>
        <dl className="flex flex-wrap gap-x-8 gap-y-3">
          <Figure name="Amount">{formatMoney(payment.amount)}</Figure>
          <Figure name="Paid">{formatMoney(payment.paid)}</Figure>
          <Figure name="To balance">{formatMoney(payment.credited)}</Figure>
          {payment.refunded > 0 && <Figure name="Refunded">{formatMoney(payment.refunded)}</Figure>}
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
      <Part title="History">
        <Events events={events} />
      </Part>
      <Part title="Ledger entries">
        <Postings postings={postings} />
      </Part>
      <Part title="Details">
        <Facts facts={factsOf(payment)} />
      </Part>
    </div>
  )
}

const factsOf = (payment: AdminPayment): [name: string, value: string][] =>
  known([
    ['Order', payment.order_id],
    ['Track ID', payment.track_id],
    ['Requested', formatExactMoney(payment.amount)],
    [
      'Received (reported by provider)',
      payment.received === null ? null : formatExactMoney(payment.received),
    ],
    ['Promo code', payment.promo_code],
    ['Bonus', payment.bonus > 0 ? formatExactMoney(payment.bonus) : null],
    ['Created', formatDateTimeWithZone(payment.created_at)],
    ['Booked', payment.paid_at && formatDateTimeWithZone(payment.paid_at)],
    ['Expires', payment.expires_at && formatDateTimeWithZone(payment.expires_at)],
  ])
