import { postingKinds } from '@trunkline/contract/posting-kinds'
import type { StatementLine } from '@trunkline/contract/statements'
import type { ReactNode } from 'react'
import { BlockTable, headCells, numeric } from '../../ui/BlockTable.tsx'
import { cx } from '../../ui/cx.ts'
import { SkeletonTable } from '../../ui/Skeleton.tsx'
import { Td, Tr } from '../../ui/Table.tsx'
import { formatExactMoney, formatSignedMoney } from '../format/money.ts'
import { Moment } from '../Moment.tsx'

/** Describes the purpose of a line, with a link if a screen shows more. */
export type DetailsOf<Line> = (line: Line) => ReactNode

type MovementsProps<Line> = { lines: readonly Line[]; isOld: boolean; detailsOf: DetailsOf<Line> }

export function Movements<Line extends StatementLine>({ lines, isOld, detailsOf }: MovementsProps<Line>) {
  return (
    <BlockTable
      caption="Movements, newest first"
      isOld={isOld}
      heads={headCells(['Date', 'Type', 'Details', numeric('Amount'), numeric('Balance')])}
    >
      {lines.map((line) => (
        <Movement key={line.id} line={line} details={detailsOf(line)} />
      ))}
    </BlockTable>
  )
}

type MovementProps = { line: StatementLine; details: ReactNode }

function Movement({ line: { at, kind, amount, balance }, details }: MovementProps) {
  return (
    <Tr className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-0.5 max-md:px-4 max-md:py-3">
      <Td className="whitespace-nowrap max-md:order-3 max-md:p-0 max-md:text-muted max-md:text-xs md:pl-4">
        <Moment at={at} />
      </Td>
      <Td className="max-md:order-1 max-md:p-0 max-md:font-medium">{postingKinds[kind]}</Td>
      <Td className="max-md:order-5 max-md:col-span-2 max-md:p-0">{details}</Td>
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

export const MovementsSkeleton = () => (
  <SkeletonTable
    rows={6}
    className="h-13"
    parts={['w-32', 'w-24 max-md:hidden', 'ml-auto w-20', 'w-20 max-md:hidden']}
  />
)
