import { Link } from '@tanstack/react-router'
import type { AdminCdrRecord } from '@trunkline/contract/cdr'
import { type CallColumn, callColumns } from '../../common/calls/report/call-columns.tsx'
import { marginInCents } from '../../common/calls/report/margin.ts'
import type { CdrSearch } from '../../common/calls/report/search.ts'
import type { ColumnChoice, ColumnName } from './column-choice.ts'

type Column = CallColumn<AdminCdrRecord>

const shortened = 'max-md:hidden md:max-w-44 md:truncate'

/** Columns that the report of customers does not have. They are not shown on phones. */
const extra: Record<Exclude<ColumnName, keyof typeof callColumns | 'User'>, Column> = {
  Carrier: { name: 'Carrier', className: shortened, cell: ({ trunk }) => <Text of={trunk} /> },
  Route: { name: 'Route', className: shortened, cell: ({ route }) => <Text of={route} /> },
  Margin: {
    name: 'Margin',
    isFigure: true,
    className: 'max-md:hidden',
    cell: (record) => marginInCents(record) ?? '–',
  },
  'SIP code': {
    name: 'SIP code',
    isFigure: true,
    className: 'max-md:hidden',
    cell: ({ sip_code }) => sip_code ?? '–',
  },
  Device: { name: 'Device', className: shortened, cell: ({ device }) => <Text of={device || null} /> },
  Reason: { name: 'Reason', className: shortened, cell: ({ reason }) => <Text of={reason} /> },
}

const Text = ({ of }: { of: string | null }) => (of === null ? '–' : <span title={of}>{of}</span>)

/** The columns in order. `others` is the selection without a user. */
export function operatorColumns(choice: ColumnChoice, others: CdrSearch): Column[] {
  const user: Column = {
    name: 'User',
    className: 'max-md:order-6 max-md:col-span-2 max-md:p-0 max-md:text-xs md:max-w-36 md:truncate',
    // Above the row link, because it contains a link.
    cell: (record) => (
      <span className="relative">
        <WhoseCall record={record} others={others} />
      </span>
    ),
  }
  const destination: Column = {
    ...callColumns.Destination,
    className: `${callColumns.Destination.className} md:max-w-60 md:truncate`,
  }
  const all: Record<ColumnName, Column> = {
    ...callColumns,
    ...extra,
    User: user,
    Destination: destination,
  }
  return (Object.keys(choice) as ColumnName[]).map((name) => ({ ...all[name], isHidden: !choice[name] }))
}

function WhoseCall({ record: { user }, others }: { record: AdminCdrRecord; others: CdrSearch }) {
  if (!user) return <span className="text-muted">Unknown</span>
  return (
    <Link
      to="/admin-panal/calls"
      search={{ ...others, user: user.id }}
      preload={false}
      title={`Only calls of ${user.username}`}
      className="underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {user.username}
    </Link>
  )
}
