import { Link } from '@tanstack/react-router'
import type { CdrRecord } from '@trunkline/contract/cdr'
import { messages } from '@trunkline/contract/messages'
import { CircleAlert } from 'lucide-react'
import { BlockTable } from '../../../ui/BlockTable.tsx'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { SkeletonTable } from '../../../ui/Skeleton.tsx'
import { Td, Th, Tr } from '../../../ui/Table.tsx'
import { Moment } from '../../Moment.tsx'
import { DirectionMark } from '../DirectionMark.tsx'
import { isMissed } from '../directions.ts'
import { type CallColumn, callColumns } from './call-columns.tsx'
import { columns as names } from './columns.ts'
import type { CdrSearch } from './search.ts'

type CallTableProps<Call extends CdrRecord> = {
  caption: string
  records: readonly Call[]
  /** The records belong to the previous selection. */
  isOld: boolean
  search: CdrSearch
  path: '/dashboard/cdr-report' | '/admin-panal/calls'
  /** The columns of administrators, in dense rows. */
  columns?: readonly CallColumn<Call>[] | undefined
  /** A column after the others. */
  extra?: CallColumn<Call> | undefined
}

const ownColumns = Object.values(callColumns)

/** Rows of 36 pixels. */
const DENSE = 'md:h-9 md:whitespace-nowrap md:px-1.5 md:py-0'

export function CallTable<Call extends CdrRecord>({
  caption,
  records,
  isOld,
  columns,
  extra,
  ...rest
}: CallTableProps<Call>) {
  const shown: readonly CallColumn<Call>[] = [...(columns ?? ownColumns), ...(extra ? [extra] : [])]
  return (
    <BlockTable
      caption={caption}
      isOld={isOld}
      heads={[{ name: names[0] }, ...shown].map(({ name, isFigure, isHidden }: Partial<CallColumn<Call>>) => (
        <Th
          key={name}
          numeric={isFigure}
          className={cx(
            'md:first:pl-4 md:last:pr-4',
            columns ? 'py-2 md:px-1.5' : 'py-2.5',
            isHidden && 'md:hidden',
          )}
        >
          {name}
        </Th>
      ))}
    >
      {records.map((record) => (
        <CallRow key={record.id} record={record} columns={shown} isDense={columns !== undefined} {...rest} />
      ))}
    </BlockTable>
  )
}

type CallRowProps<Call extends CdrRecord> = {
  record: Call
  columns: readonly CallColumn<Call>[]
  isDense: boolean
} & Pick<CallTableProps<Call>, 'search' | 'path'>

function CallRow<Call extends CdrRecord>({ record, columns, isDense, search, path }: CallRowProps<Call>) {
  return (
    // The link in the first cell covers the whole row.
    // On a phone, the browser lays out only the rows that it shows.
    <Tr className="relative max-md:grid max-md:[contain-intrinsic-size:auto_7.25rem] max-md:[content-visibility:auto] max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-1 max-md:px-4 max-md:py-3">
      <Td
        className={cx(
          'figures whitespace-nowrap max-md:order-3 max-md:p-0 max-md:text-xs md:pl-4',
          isDense && DENSE,
        )}
      >
        {/* The link comes first for screen readers, the direction first for the eye. */}
        <span className="inline-flex flex-row-reverse items-center">
          <Link
            to={path}
            search={{ ...search, call: record.id }}
            resetScroll={false}
            preload={false}
            className="after:absolute after:inset-0"
          >
            <span className="sr-only">Details of the call at </span>
            <Moment at={record.started_at} seconds />
            <span className="sr-only"> to {record.destination}</span>
          </Link>
          <DirectionMark direction={record.direction} isMissed={isMissed(record)} />
        </span>
      </Td>
      {columns.map(({ name, isFigure, isHidden, className, cell }) => (
        <Td
          key={name}
          numeric={isFigure}
          className={cx('md:last:pr-4', className, isDense && DENSE, isHidden && 'md:hidden')}
        >
          {cell(record)}
        </Td>
      ))}
    </Tr>
  )
}

export function CallTableFailure({ isBusy, onRetry }: { isBusy: boolean; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-4 px-5 py-12 text-center">
      <CircleAlert aria-hidden className="size-6 text-danger" />
      <p className="max-w-md text-balance">{messages.cdrFailed}</p>
      <Button busy={isBusy} onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

export const CallTableSkeleton = ({ isDense }: { isDense: boolean }) => (
  <SkeletonTable
    rows={10}
    className={cx('max-md:h-29', isDense ? 'h-9' : 'h-[43px]')}
    parts={[
      'w-36',
      'w-28 max-md:hidden',
      'w-28 max-md:hidden',
      'ml-auto w-14 max-md:hidden',
      'w-16 max-md:ml-auto',
      'w-20 max-md:hidden',
    ]}
  />
)
