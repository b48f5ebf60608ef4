import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BalanceAdjustment } from '@trunkline/contract/admin-balances'
import { formatExactMoney, formatSignedMoney } from '../../common/format/money.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { Moment } from '../../common/Moment.tsx'
import { Pager } from '../../common/Pager.tsx'
import { MovementsSkeleton } from '../../common/statement/Movements.tsx'
import { usePagination } from '../../common/use-pagination.ts'
import { BlockTable, headCells, numeric } from '../../ui/BlockTable.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Td, Tr } from '../../ui/Table.tsx'
import { adjustmentsQuery } from './queries.ts'

type AdjustmentsProps = { before: number | undefined; onGo: (before: number | undefined) => void }

export function Adjustments({ before, onGo }: AdjustmentsProps) {
  const page = useQuery(adjustmentsQuery(before))
  const pagination = usePagination({}, before, page.isPlaceholderData ? null : page.data?.next)
  return (
    <ListCard
      label="Recent adjustments"
      query={page}
      failed="The adjustments could not be loaded."
      waiting={<MovementsSkeleton />}
      heading={
        <h2 className="border-b px-4 py-3.5 font-semibold text-lg tracking-tight sm:px-5">
          Recent adjustments
        </h2>
      }
    >
      {({ adjustments }) =>
        adjustments.length === 0 ? (
          <EmptyState
            title={before === undefined ? 'No adjustments yet' : 'No older adjustments'}
            text="Search for a user above to see their statement and adjust their balance."
            action={before !== undefined && <Button onClick={() => onGo(undefined)}>Show newest</Button>}
          />
        ) : (
          <>
            <BlockTable
              caption="Adjustments, newest first"
              isOld={page.isPlaceholderData}
              heads={headCells(
                ['Date', 'User', 'Reason', 'By', numeric('Amount'), numeric('Balance')],
                'py-2.5 md:first:pl-5 md:last:pr-5',
              )}
            >
              {adjustments.map((adjustment) => (
                <Adjustment key={adjustment.id} adjustment={adjustment} />
              ))}
            </BlockTable>
            <Pager label="Pages of adjustments" pagination={pagination} onGo={onGo} />
          </>
        )
      }
    </ListCard>
  )
}

function Adjustment({ adjustment }: { adjustment: BalanceAdjustment }) {
  const { at, user, reason, by, amount, balance } = adjustment
  return (
    <Tr className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-0.5 max-md:px-4 max-md:py-3">
      <Td className="whitespace-nowrap max-md:order-3 max-md:p-0 max-md:text-muted max-md:text-xs md:pl-5">
        <Moment at={at} />
      </Td>
      <Td className="max-md:order-1 max-md:p-0">
        <Link
          to="/admin-panal/balances"
          search={{ user: user.id }}
          className="break-all rounded-sm font-medium underline-offset-4 hover:underline"
        >
          {user.username}
        </Link>
      </Td>
      <Td className="break-words max-md:order-5 max-md:col-span-2 max-md:p-0">{reason}</Td>
      <Td className="max-md:order-6 max-md:col-span-2 max-md:p-0 max-md:text-muted max-md:text-xs">
        <span className="md:hidden">by </span>
        {by ?? 'System'}
      </Td>
      <Td
        numeric
        className={cx('font-semibold max-md:order-2 max-md:p-0', amount < 0 ? 'text-ink' : 'text-success')}
      >
        {formatSignedMoney(amount)}
      </Td>
      <Td numeric className="max-md:order-4 max-md:p-0 max-md:text-muted max-md:text-xs md:pr-5">
        <span className="md:hidden">then </span>
        {formatExactMoney(balance)}
      </Td>
    </Tr>
  )
}
