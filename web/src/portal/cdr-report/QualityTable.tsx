import { Link } from '@tanstack/react-router'
import type { CallQuality } from '@trunkline/contract/call-quality'
import { type Verdict, verdictOn } from '@trunkline/domain/media-quality'
import type { ReactNode } from 'react'
import { formatDuration } from '../../common/format/durations.ts'
import { formatNumber, formatPercent } from '../../common/format/numbers.ts'
import { Badge, type BadgeTone } from '../../ui/Badge.tsx'
import { BlockTable, headCells, numeric } from '../../ui/BlockTable.tsx'
import { cx } from '../../ui/cx.ts'
import { Td, Tr } from '../../ui/Table.tsx'
import { callsBehind, type readQualitySearch, showJitter, showLoss, showMos, showPoor } from './quality.ts'

type Row = CallQuality['countries'][number]
type Chosen = ReturnType<typeof readQualitySearch>
type QualityTableProps = { countries: readonly Row[]; chosen: Chosen; isOld: boolean }

const tones: Readonly<Record<Verdict, BadgeTone>> = { good: 'success', fair: 'pending', poor: 'danger' }

const columns: readonly { name: string; cell: (row: Row) => ReactNode }[] = [
  { name: 'Calls', cell: ({ calls }) => formatNumber(calls) },
  { name: 'Answered', cell: ({ answer_rate: rate }) => formatPercent(rate) },
  { name: 'Avg. duration', cell: ({ average_duration: seconds }) => formatDuration(seconds) },
  { name: 'Measured', cell: ({ measured }) => formatNumber(measured) },
  { name: 'Loss', cell: showLoss },
  { name: 'Jitter', cell: showJitter },
]
const heads = ['Country', ...['MOS', 'Poor', ...columns.map(({ name }) => name)].map(numeric)]

/** A row per country. Each row leads to its calls, and the share of poor calls to those. */
export const QualityTable = ({ countries, chosen, isOld }: QualityTableProps) => (
  <BlockTable caption="Quality of your calls by country" isOld={isOld} heads={headCells(heads)}>
    {countries.map((row) => (
      <CountryRow key={row.country} row={row} chosen={chosen} />
    ))}
  </BlockTable>
)

function CountryRow({ row, chosen }: { row: Row; chosen: Chosen }) {
  const calls = callsBehind(chosen, row.country)
  return (
    // The link in the first cell covers the whole row.
    <Tr className="relative max-md:grid max-md:grid-cols-4 max-md:gap-x-4 max-md:gap-y-2 max-md:px-4 max-md:py-3">
      <Td className="font-medium max-md:col-span-2 max-md:p-0 md:pl-4">
        {calls ? (
          <Link to="/dashboard/cdr-report" search={calls} className="after:absolute after:inset-0">
            <span className="sr-only">Calls to </span>
            {row.country}
          </Link>
        ) : (
          'Unknown'
        )}
      </Td>
      <Td numeric className="max-md:col-span-2 max-md:p-0">
        {row.mos === null ? (
          <span className="text-muted text-xs">{showMos(row)}</span>
        ) : (
          <Badge tone={tones[verdictOn(row.mos)]}>{showMos(row)}</Badge>
        )}
      </Td>
      <Figure name="Poor">
        {calls && row.poor > 0 ? (
          <Link
            to="/dashboard/cdr-report"
            search={{ ...calls, quality: 'poor' }}
            // Above the link that covers the row.
            className="relative z-10 rounded-sm underline underline-offset-4"
          >
            {showPoor(row)}
            <span className="sr-only"> poor calls to {row.country}</span>
          </Link>
        ) : (
          showPoor(row)
        )}
      </Figure>
      {columns.map(({ name, cell }) => (
        <Figure key={name} name={name} className="md:last:pr-4">
          {cell(row)}
        </Figure>
      ))}
    </Tr>
  )
}

/** On a phone the name of the column stands above the figure. */
const Figure = ({ name, className, children }: { name: string; className?: string; children: ReactNode }) => (
  <Td numeric className={cx('max-md:p-0 max-md:text-left', className)}>
    <span aria-hidden className="block text-muted text-xs md:hidden">
      {name}
    </span>
    {children}
  </Td>
)
