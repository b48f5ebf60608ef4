import type { PriceRow } from '@trunkline/contract/bulk-pricing'
import { ArrowRight } from 'lucide-react'
import { formatCost, formatExactMoney, formatSignedCost } from '../../common/format/money.ts'
import { formatCount, formatNumber, formatPercent } from '../../common/format/numbers.ts'
import { Badge } from '../../ui/Badge.tsx'
import { BlockTable } from '../../ui/BlockTable.tsx'
import { cx } from '../../ui/cx.ts'
import { Td, Th, Tr } from '../../ui/Table.tsx'
import { keyOf, undoWords } from './words.ts'

export type PriceTableProps = { rows: readonly PriceRow[]; caption: string; isOld: boolean }

export const PriceTable = ({ rows, caption, isOld }: PriceTableProps) => (
  <BlockTable
    caption={`Prices: ${caption}`}
    isOld={isOld}
    heads={
      <>
        <Th className="md:pl-4">Route</Th>
        <Th numeric className="md:px-2">
          Cost
        </Th>
        <Th numeric className="md:whitespace-normal">
          Price
        </Th>
        <Th numeric className="md:px-2">
          Margin
        </Th>
        <Th numeric className="max-lg:hidden">
          Customers
        </Th>
        <Th numeric className="max-2xl:hidden">
          Calls, 30 days
        </Th>
        <Th numeric className="md:px-2" title="Of the last 30 days">
          Revenue
        </Th>
        <Th numeric className="md:pr-4">
          Effect
        </Th>
      </>
    }
  >
    {rows.map((row) => (
      <Row key={keyOf(row)} row={row} />
    ))}
  </BlockTable>
)

/** On a phone: the route, then price, margin and effect with their names. On a low screen, these are in one line. */
const Row = ({ row }: { row: PriceRow }) => (
  <Tr className="max-md:flex max-md:flex-col max-md:gap-1 max-md:px-4 max-md:py-3 short:max-md:grid short:max-md:grid-cols-5 short:max-md:gap-x-3 short:max-md:py-2">
    <RouteCell row={row} />
    <Figure label="Cost" {...(row.trunk && { title: `Cost of ${row.trunk}` })}>
      {formatExactMoney(row.cost)}
      {row.trunk && <span className="block text-muted text-xs md:hidden">{row.trunk}</span>}
    </Figure>
    <Figure label="Price per minute">
      <Change
        before={formatExactMoney(row.before)}
        after={row.after === row.before ? null : formatExactMoney(row.after)}
      />
    </Figure>
    <Figure label="Margin">
      <span className="inline-flex items-center justify-end gap-x-1.5 max-md:flex-wrap">
        <Margin margin={row.margin_before} />
        {row.after !== row.before && (
          <>
            <Arrow />
            <Margin margin={row.margin_after} isStrong />
          </>
        )}
      </span>
    </Figure>
    <Td numeric className="max-lg:hidden">
      {formatNumber(row.customers)}
    </Td>
    <Td numeric className="max-2xl:hidden">
      {formatNumber(row.calls)}
    </Td>
    <Figure label="Revenue, 30 days">
      {formatCost(row.revenue)}
      <span className="block text-muted text-xs lg:hidden">
        {formatCount(row.calls, 'call')}, {formatCount(row.customers, 'customer')}
      </span>
    </Figure>
    <Figure label="Effect" className="md:pr-4">
      {formatSignedCost(row.effect)}
    </Figure>
  </Tr>
)

export const RouteCell = ({ row }: { row: PriceRow }) => (
  <Td
    className="max-md:p-0 md:max-w-44 md:truncate md:pl-4 short:max-md:col-span-5"
    title={`${row.country}, ${row.name} · ${row.planname}`}
  >
    <span className="font-medium">
      {row.country}
      {row.prefix && <span className="figures font-normal"> +{row.prefix}</span>}
    </span>
    <span className="text-muted text-xs max-md:block md:ml-1.5">
      {row.name}
      <span className="md:hidden"> · {row.planname}</span>
    </span>
    {row.undo && row.undo !== 'restored' && <Badge tone="pending">{undoWords[row.undo]}</Badge>}
  </Td>
)

type FigureProps = { label: string; title?: string; className?: string; children: React.ReactNode }

/** A cell; on a phone a line with its name. */
const Figure = ({ label, title, className, children }: FigureProps) => (
  <Td
    numeric
    title={title}
    className={cx(
      'max-md:flex max-md:items-baseline max-md:justify-between max-md:gap-4 max-md:p-0 md:px-2 short:max-md:block',
      className,
    )}
  >
    <span aria-hidden className="text-muted text-sm md:hidden short:max-md:block short:max-md:text-xs">
      {label}
    </span>
    <span>{children}</span>
  </Td>
)

const Arrow = () => (
  <>
    <ArrowRight aria-hidden className="size-3.5 shrink-0 text-muted" />
    <span className="sr-only">to</span>
  </>
)

const Change = ({ before, after }: { before: string; after: string | null }) => (
  <span className="inline-flex items-center justify-end gap-1.5">
    <span className={cx(after !== null && 'text-muted')}>{before}</span>
    {after !== null && (
      <>
        <Arrow />
        <span className="font-semibold">{after}</span>
      </>
    )}
  </span>
)

type MarginProps = { margin: PriceRow['margin_before']; isStrong?: boolean }

const Margin = ({ margin, isStrong = false }: MarginProps) => (
  <span
    className={cx(
      margin !== null && margin.amount < 0 ? 'text-danger' : !isStrong && 'text-muted',
      isStrong && 'font-semibold',
    )}
  >
    {formatExactMoney(margin?.amount)}
    {margin !== null && margin.percent !== null && (
      <span className="font-normal text-xs"> ({formatPercent(margin.percent)})</span>
    )}
  </span>
)
