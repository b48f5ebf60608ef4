import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Payment } from '@trunkline/contract/payments'
import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { formatMoney } from '../../common/format/money.ts'
import { Moment } from '../../common/Moment.tsx'
import { PaymentBadge } from '../../common/payments/PaymentBadge.tsx'
import { ShowMore } from '../../common/ShowMore.tsx'
import { BlockTable, headCells, hidden, numeric } from '../../ui/BlockTable.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { TitledCard } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { SkeletonList } from '../../ui/Skeleton.tsx'
import { Td, Tr } from '../../ui/Table.tsx'
import { PaymentPageLink } from './PaymentPageLink.tsx'
import { historyQuery } from './queries.ts'
import { hasReceipt, ReceiptButton } from './ReceiptButton.tsx'

export function PaymentHistory() {
  const history = useInfiniteQuery(historyQuery)
  const payments = history.data?.pages.flatMap((page) => page.payments) ?? []
  return (
    <TitledCard
      title="Payment history"
      id="payments"
      aria-busy={history.isPending}
      className="sm:p-6"
      action={
        <Link to="/dashboard/statement" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          Account statement
        </Link>
      }
    >
      {history.isPending ? (
        <Waiting />
      ) : history.isLoadingError ? (
        <Failure onRetry={() => void history.refetch()}>
          {explain(history.error, 'Your payments could not be loaded.')}
        </Failure>
      ) : payments.length === 0 ? (
        <EmptyState
          title="No payments yet"
          text="Choose an amount and select Top Up Now. Your payments and receipts appear here."
        />
      ) : (
        <>
          <Payments payments={payments} />
          {history.isFetchNextPageError && (
            <Notice tone="danger" className="mt-4">
              {explain(history.error, 'More payments could not be loaded.')}
            </Notice>
          )}
          <div className="mt-4 flex justify-center empty:hidden">
            <ShowMore query={history} />
          </div>
        </>
      )}
    </TitledCard>
  )
}

function Payments({ payments }: { payments: Payment[] }) {
  return (
    <div className="md:-mx-3">
      <BlockTable
        caption="Your payments, newest first"
        heads={headCells(
          [
            'Date',
            'Order',
            numeric('Amount'),
            numeric('Bonus'),
            numeric('Credited'),
            'Status',
            hidden('Actions'),
          ],
          '',
        )}
      >
        {payments.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} />
        ))}
      </BlockTable>
    </div>
  )
}

const cellClass = 'max-md:p-0'

function PaymentRow({ payment }: { payment: Payment }) {
  const { kind, promo_code, amount, bonus, credited, refunded, state, created_at, payment_url } = payment
  return (
    <Tr className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-1.5 max-md:py-3.5">
      <Td className={`${cellClass} whitespace-nowrap max-md:order-1`}>
        <Moment at={created_at} />
      </Td>
      <Td className={`${cellClass} max-md:order-3`}>
        <span className="block break-all font-mono text-xs leading-5">{payment.order_id}</span>
        <span className="block text-muted text-xs">
          {kind === 'upgrade' ? 'Premium upgrade' : 'Top-up'}
          {promo_code && (
            <>
              {' · '}
              <span className="font-mono">{promo_code}</span>
            </>
          )}
        </span>
      </Td>
      <Td numeric className={`${cellClass} font-semibold max-md:order-2 max-md:text-lg`}>
        {formatMoney(amount)}
      </Td>
      <Figure name="Bonus" amount={bonus} sign="+" className="max-md:order-5" />
      <Figure
        name="Credited"
        amount={credited}
        className="max-md:order-6"
        note={refunded > 0 && `${formatMoney(refunded)} refunded`}
      />
      <Td className={`${cellClass} max-md:order-4 max-md:text-right`}>
        <PaymentBadge state={state} />
      </Td>
      <Td className={`${cellClass} text-right max-md:order-7 max-md:col-span-2 max-md:empty:hidden`}>
        {payment_url && state !== 'paying' ? (
          <PaymentPageLink address={payment_url}>
            Pay now
            <span className="sr-only">: order {payment.order_id}</span>
            <ArrowUpRight aria-hidden />
          </PaymentPageLink>
        ) : (
          hasReceipt(payment) && <ReceiptButton payment={payment} />
        )}
      </Td>
    </Tr>
  )
}

type FigureProps = { name: string; amount: number; sign?: string; note?: ReactNode; className: string }

/** A table column; on a phone a labeled row, hidden when empty. */
function Figure({ name, amount, sign = '', note, className }: FigureProps) {
  const isNothing = amount === 0 && !note
  return (
    <Td
      numeric
      className={`${cellClass} max-md:col-span-2 max-md:flex max-md:justify-between ${isNothing ? 'max-md:hidden' : ''} ${className}`}
    >
      <span aria-hidden className="text-muted md:hidden">
        {name}
      </span>
      {isNothing ? (
        <span className="text-muted">
          <span aria-hidden>–</span>
          <span className="sr-only">none</span>
        </span>
      ) : (
        <span>
          {sign}
          {formatMoney(amount)}
          {note && <span className="block text-muted text-xs">{note}</span>}
        </span>
      )}
    </Td>
  )
}

const Waiting = () => (
  <SkeletonList
    rows={3}
    className="items-center gap-6 py-4.5"
    parts={['w-36', 'w-44 max-md:hidden', 'ml-auto w-24', 'w-20 max-md:hidden']}
  />
)
