import { Link } from '@tanstack/react-router'
import type { CdrRecord } from '@trunkline/contract/cdr'
import { messages } from '@trunkline/contract/messages'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import { BlockTable } from '../../../ui/BlockTable.tsx'
import { Button } from '../../../ui/Button.tsx'
import { SkeletonTable } from '../../../ui/Skeleton.tsx'
import { Td, Th, Tr } from '../../../ui/Table.tsx'
import { asClock } from '../../durations.ts'
import { Moment } from '../../Moment.tsx'
import { costInDollars, exactDollars } from '../../prices.ts'
import { lookOf } from '../statuses.ts'
import { columns } from './columns.ts'
import type { CdrSearch } from './search.ts'

type CallTableProps<Call extends CdrRecord> = {
  caption: string
  records: readonly Call[]
  /** The records belong to the previous selection. */
  isOld: boolean
  search: CdrSearch
  path: '/dashboard/cdr-report' | '/admin-panal/calls'
  /** Additional columns for administrators: user and margin. */
  userOf?: (record: Call) => ReactNode
  marginOf?: (record: Call) => string | null
}

const isFigure = (column: string) => ['Duration', 'Cost', 'Margin'].includes(column)

export function CallTable<Call extends CdrRecord>({
  caption,
  records,
  isOld,
  ...rest
}: CallTableProps<Call>) {
  const { userOf, marginOf } = rest
  const shown = columns.flatMap((column) => {
    if (column === 'Caller' && userOf) return ['User', column]
    return column === 'Status' && marginOf ? ['Margin', column] : [column]
  })
  return (
    <BlockTable
      caption={caption}
      isOld={isOld}
      heads={shown.map((column) => (
        <Th key={column} numeric={isFigure(column)} className="py-2.5 first:pl-4 last:pr-4">
          {column}
        </Th>
      ))}
    >
      {records.map((record) => (
        <CallRow key={record.id} record={record} {...rest} />
      ))}
    </BlockTable>
  )
}

type CallRowProps<Call extends CdrRecord> = { record: Call } & Omit<
  CallTableProps<Call>,
  'records' | 'isOld' | 'caption'
>

function CallRow<Call extends CdrRecord>({ record, search, path, userOf, marginOf }: CallRowProps<Call>) {
  const { label, tone } = lookOf(record.status)
  return (
    // The link in the first cell covers the whole row.
    <Tr className="relative max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-1 max-md:px-4 max-md:py-3">
      <Td className="figures whitespace-nowrap max-md:order-3 max-md:p-0 max-md:text-xs md:pl-4">
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
      </Td>
      {userOf && (
        // Above the row link, because it contains a link.
        <Td className="max-md:order-6 max-md:col-span-2 max-md:p-0 max-md:text-xs">
          <span className="relative">{userOf(record)}</span>
        </Td>
      )}
      <Td className="figures max-md:order-5 max-md:col-span-2 max-md:break-all max-md:p-0 max-md:text-muted max-md:text-xs">
        <span className="md:hidden">from </span>
        {record.caller}
      </Td>
      <Td className="figures max-md:order-1 max-md:break-all max-md:p-0 max-md:font-medium max-md:text-base">
        {record.destination}{' '}
        {record.country && (
          <span className="text-muted max-md:block max-md:font-normal max-md:text-xs md:ml-1">
            {record.country}
          </span>
        )}
      </Td>
      <Td numeric className="max-md:order-4 max-md:p-0 max-md:text-muted max-md:text-xs">
        {asClock(record.duration)}
      </Td>
      <Td numeric className="font-medium max-md:order-2 max-md:p-0 max-md:text-base">
        <span title={exactDollars(record.cost)}>{costInDollars(record.cost)}</span>
        <span className="md:hidden">
          <br />
          <Badge tone={tone}>{label}</Badge>
        </span>
      </Td>
      {marginOf && (
        <Td numeric className="max-md:hidden">
          {marginOf(record) ?? '–'}
        </Td>
      )}
      <Td className="max-md:hidden md:pr-4">
        <Badge tone={tone}>{label}</Badge>
      </Td>
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

export const CallTableSkeleton = () => (
  <SkeletonTable
    rows={10}
    className="h-[43px] max-md:h-29"
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
