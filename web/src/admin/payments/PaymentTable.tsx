import { Link } from '@tanstack/react-router'
import type { AdminPayment } from '@trunkline/contract/admin-payments'
import { formatMoney } from '../../common/format/money.ts'
import { Moment } from '../../common/Moment.tsx'
import { BlockTable, headCells, hidden, numeric } from '../../ui/BlockTable.tsx'
import { buttonClass, inRowClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { SkeletonTable } from '../../ui/Skeleton.tsx'
import { Td, Tr } from '../../ui/Table.tsx'
import { UserLink } from '../users/UserLink.tsx'
import { isRefundable } from './refund.ts'
import { StatusWords } from './StatusWords.tsx'
import { kinds, type PaymentsSearch } from './search.ts'

type PaymentTableProps = {
  payments: readonly AdminPayment[]
  /** The rows belong to the previous selection while the new one loads. */
  isOld: boolean
  search: PaymentsSearch
}

export function PaymentTable({ payments, isOld, search }: PaymentTableProps) {
  return (
    <BlockTable
      caption="Payments, newest first"
      isOld={isOld}
      heads={headCells(['ID', 'User', numeric('Amount'), 'Type', 'Status', 'Date', hidden('Actions')])}
    >
      {payments.map((payment) => (
        <PaymentRow key={payment.id} payment={payment} search={search} />
      ))}
    </BlockTable>
  )
}

function PaymentRow({ payment, search }: { payment: AdminPayment; search: PaymentsSearch }) {
  const { id, user, amount, kind, order_id, refunded, created_at } = payment
  return (
    <Tr className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-1 max-md:px-4 max-md:py-3.5">
      <Td className="max-md:order-3 max-md:p-0 md:pl-4">
        <span className="figures font-medium max-md:hidden">{id}</span>
        <span className="break-all font-mono text-muted text-xs md:ml-2 md:whitespace-nowrap">
          {order_id}
        </span>
      </Td>
      <Td className="max-md:order-1 max-md:p-0">
        <UserLink
          user={user}
          className="break-all rounded-sm font-medium underline-offset-4 hover:underline"
        />
      </Td>
      <Td numeric className="font-semibold max-md:order-2 max-md:p-0 max-md:text-lg">
        {refunded > 0 && (
          <span className="mr-2 font-normal text-muted text-xs">{formatMoney(refunded)} refunded</span>
        )}
        {formatMoney(amount)}
      </Td>
      <Td className="max-md:order-5 max-md:p-0 max-md:text-muted max-md:text-sm">{kinds[kind]}</Td>
      <Td className="max-md:order-4 max-md:justify-self-end max-md:p-0">
        <StatusWords payment={payment} />
      </Td>
      <Td className="whitespace-nowrap max-md:order-6 max-md:justify-self-end max-md:p-0 max-md:text-sm">
        <Moment at={created_at} />
      </Td>
      <Td className="max-md:order-7 max-md:col-span-2 max-md:mt-1.5 max-md:p-0 md:pr-4">
        <div className="flex gap-2 md:-my-0.5 md:justify-end">
          {isRefundable(payment) && (
            <Link
              to="/admin-panal/payments"
              search={{ ...search, refund: id }}
              resetScroll={false}
              preload={false}
              className={cx(buttonClass({ size: 'sm', variant: 'ghost' }), 'max-md:order-2', inRowClass)}
            >
              Refund<span className="sr-only"> payment {id}</span>
            </Link>
          )}
          <Link
            to="/admin-panal/payments"
            search={{ ...search, payment: id }}
            resetScroll={false}
            preload={false}
            className={cx(buttonClass({ size: 'sm' }), inRowClass)}
          >
            View<span className="sr-only"> payment {id}</span>
          </Link>
        </div>
      </Td>
    </Tr>
  )
}

export const PaymentTableSkeleton = () => (
  <SkeletonTable
    rows={8}
    className="h-9 max-md:h-32"
    parts={['w-28', 'w-24 max-md:hidden', 'ml-auto w-20', 'w-20 max-md:hidden', 'w-36 max-md:hidden']}
  />
)
