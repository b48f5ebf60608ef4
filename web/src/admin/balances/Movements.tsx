import { Link } from '@tanstack/react-router'
import type { StatementLine } from '@trunkline/contract/admin-balances'
import { postingKinds } from '@trunkline/contract/posting-kinds'
import { formatExactMoney, formatSignedMoney } from '../../common/format/money.ts'
import { Moment } from '../../common/Moment.tsx'
import { BlockTable } from '../../ui/BlockTable.tsx'
import { cx } from '../../ui/cx.ts'
import { SkeletonTable } from '../../ui/Skeleton.tsx'
import { Td, Th, Tr } from '../../ui/Table.tsx'

export function Movements({ lines, isOld }: { lines: readonly StatementLine[]; isOld: boolean }) {
  return (
    <BlockTable
      caption="Movements, newest first"
      isOld={isOld}
      heads={
        <>
          <Th className="py-2.5 pl-4">Date</Th>
          <Th>Type</Th>
          <Th>Reference and reason</Th>
          <Th numeric>Amount</Th>
          <Th numeric className="pr-4">
            Balance
          </Th>
        </>
      }
    >
      {lines.map((line) => (
        <Movement key={line.id} line={line} />
      ))}
    </BlockTable>
  )
}

function Movement({ line: { at, kind, reference, reason, by, amount, balance } }: { line: StatementLine }) {
  return (
    <Tr className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-0.5 max-md:px-4 max-md:py-3">
      <Td className="whitespace-nowrap max-md:order-3 max-md:p-0 max-md:text-muted max-md:text-xs md:pl-4">
        <Moment at={at} />
      </Td>
      <Td className="max-md:order-1 max-md:p-0 max-md:font-medium">{postingKinds[kind]}</Td>
      <Td className="max-md:order-5 max-md:col-span-2 max-md:p-0">
        <Reference kind={kind} reference={reference} />
        {reason && <span className="block break-words">{reason}</span>}
        {by && <span className="block text-muted text-xs">by {by}</span>}
      </Td>
      <Td
        numeric
        className={cx('font-semibold max-md:order-2 max-md:p-0', amount < 0 ? 'text-ink' : 'text-success')}
      >
        {amount === 0 ? (
          <span className="font-normal text-muted text-xs">no change</span>
        ) : (
          formatSignedMoney(amount)
        )}
      </Td>
      <Td numeric className="max-md:order-4 max-md:p-0 max-md:text-muted max-md:text-xs md:pr-4">
        <span className="md:hidden">balance </span>
        {formatExactMoney(balance)}
      </Td>
    </Tr>
  )
}

const OF_PAYMENTS: readonly StatementLine['kind'][] = [
  'top_up',
  'upgrade_purchase',
  'refund_to_balance',
  'refund_paid_out',
]

/** An order links to its payment. */
function Reference({ kind, reference }: Pick<StatementLine, 'kind' | 'reference'>) {
  if (kind === 'adjustment') return null
  const look = 'block break-all font-mono text-muted text-xs'
  return OF_PAYMENTS.includes(kind) ? (
    <Link
      to="/admin-panal/payments"
      search={{ text: reference }}
      className={`${look} underline-offset-4 hover:underline`}
    >
      {reference}
    </Link>
  ) : (
    <span className={look}>{reference}</span>
  )
}

export const MovementsSkeleton = () => (
  <SkeletonTable
    rows={6}
    className="h-13"
    parts={['w-32', 'w-24 max-md:hidden', 'ml-auto w-20', 'w-20 max-md:hidden']}
  />
)
