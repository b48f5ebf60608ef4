import type { CdrRecord } from '@trunkline/contract/cdr'
import { accountLabel, TEST_CALL_NAME } from '@trunkline/contract/phone-names'
import type { ReactNode } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import { formatDuration } from '../../format/durations.ts'
import { formatCost, formatExactMoney } from '../../format/money.ts'
import { PhoneNumber } from '../../PhoneNumber.tsx'
import { isTestCall } from '../directions.ts'
import { lookOf } from '../statuses.ts'
import type { columns } from './columns.ts'

export type CallColumn<Call> = {
  name: string
  cell: (record: Call) => ReactNode
  isFigure?: boolean
  /** Classes of the cell, with its place on a phone, where each row is a block. */
  className: string
  /** Hidden on wide screens. Phones show the same cells for every choice of columns. */
  isHidden?: boolean
}

type Named = Exclude<(typeof columns)[number], 'Date & Time'>

/** The columns after the first one, which holds the link of the row. */
export const callColumns: Record<Named, CallColumn<CdrRecord>> = {
  Caller: {
    name: 'Caller',
    className:
      'figures max-md:order-5 max-md:col-span-2 max-md:break-all max-md:p-0 max-md:text-muted max-md:text-xs',
    cell: (record) => (
      <>
        <span className="md:hidden">from </span>
        {isTestCall(record) ? TEST_CALL_NAME : <PhoneNumber of={accountLabel(record.caller)} />}
      </>
    ),
  },
  Destination: {
    name: 'Destination',
    className: 'figures max-md:order-1 max-md:break-all max-md:p-0 max-md:font-medium max-md:text-base',
    cell: ({ destination, country }) => (
      <>
        <PhoneNumber of={destination} />{' '}
        {country && (
          <span className="text-muted max-md:block max-md:font-normal max-md:text-xs md:ml-1">{country}</span>
        )}
      </>
    ),
  },
  Duration: {
    name: 'Duration',
    isFigure: true,
    className: 'max-md:order-4 max-md:p-0 max-md:text-muted max-md:text-xs',
    cell: ({ duration }) => formatDuration(duration),
  },
  Cost: {
    name: 'Cost',
    isFigure: true,
    className: 'font-medium max-md:order-2 max-md:p-0 max-md:text-base',
    cell: ({ cost, status }) => (
      <>
        <span title={formatExactMoney(cost)}>{formatCost(cost)}</span>
        <span className="md:hidden">
          <br />
          <StatusBadge status={status} />
        </span>
      </>
    ),
  },
  Status: {
    name: 'Status',
    className: 'max-md:hidden',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
}

function StatusBadge({ status }: Pick<CdrRecord, 'status'>) {
  const { label, tone } = lookOf(status)
  return <Badge tone={tone}>{label}</Badge>
}
