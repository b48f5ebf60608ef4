import { Link } from '@tanstack/react-router'
import type { Analysis, AnalysisRow } from '@trunkline/contract/analysis'
import { ANALYSIS_ROWS_DEFAULT, ANALYSIS_ROWS_MAX } from '@trunkline/contract/limits'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { CdrSearch } from '../../common/calls/report/search.ts'
import { formatNumber } from '../../common/format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { ChangeText } from '../ChangeText.tsx'
import { changeBetween } from '../change.ts'
import { type FigureName, figureLooks, figureNames } from './figures.ts'
import { type AnalysisSearch, callsBehind, type Days, groups, nameOf } from './search.ts'

type RowsProps = {
  search: AnalysisSearch
  days: Days
  analysis: Analysis
  onGo: (next: AnalysisSearch) => void
}

const linked = 'underline decoration-line underline-offset-4 hover:decoration-current'

/** One line per carrier, country and so on. The headings sort. */
export function Rows({ search, days, analysis: { rows, row_count, uncounted }, onGo }: RowsProps) {
  const { by = 'country' } = search
  if (rows.length === 0)
    return <EmptyState title="No calls in this period" text="Choose another period or wait for calls." />
  return (
    <>
      <Table label={`Calls by ${groups[by].label.toLowerCase()}`}>
        <THead>
          <Tr>
            <Th className="md:pl-4">{groups[by].label}</Th>
            {figureNames.map((name) => (
              <Heading key={name} name={name} search={search} onGo={onGo} />
            ))}
          </Tr>
        </THead>
        <TBody>
          {rows.map((row) => (
            <Row key={row.key} row={row} search={search} days={days} onGo={onGo} />
          ))}
        </TBody>
      </Table>
      {(rows.length < row_count || uncounted > 0) && (
        <div className="flex flex-wrap items-center gap-3 border-t px-4 py-2 text-muted text-sm">
          {rows.length < row_count && (
            <>
              {formatNumber(rows.length)} of {formatNumber(row_count)}
              {rows.length < ANALYSIS_ROWS_MAX && (
                <Button size="sm" onClick={() => onGo({ ...search, rows: nextLimit(search) })}>
                  Show more
                </Button>
              )}
            </>
          )}
          {uncounted > 0 && (
            <p role="status">Still adding {formatNumber(uncounted)} calls to these figures.</p>
          )}
        </div>
      )}
    </>
  )
}

const nextLimit = ({ rows = ANALYSIS_ROWS_DEFAULT }: AnalysisSearch): number =>
  Math.min(ANALYSIS_ROWS_MAX, rows * 4)

type HeadingProps = { name: FigureName; search: AnalysisSearch; onGo: RowsProps['onGo'] }

function Heading({ name, search, onGo }: HeadingProps) {
  const { label, meaning } = figureLooks[name]
  const isSorted = name === (search.sort ?? 'revenue')
  const isRising = search.order === 'asc'
  const Arrow = isRising ? ArrowUp : ArrowDown
  const { order: _order, ...others } = search
  return (
    <Th
      numeric
      aria-sort={isSorted ? (isRising ? 'ascending' : 'descending') : undefined}
      className="px-0! last:md:pr-1!"
    >
      <button
        type="button"
        title={meaning}
        onClick={() => onGo({ ...others, sort: name, ...(isSorted && !isRising && { order: 'asc' }) })}
        className={cx(
          'engraved inline-flex h-6 items-center gap-1 px-3 hover:text-ink focus-visible:-outline-offset-2',
          isSorted && 'text-ink',
        )}
      >
        {isSorted && <Arrow aria-hidden className="size-3" />}
        {label}
      </button>
    </Th>
  )
}

type RowProps = Pick<RowsProps, 'search' | 'days' | 'onGo'> & { row: AnalysisRow }

function Row({ row, search, days, onGo }: RowProps) {
  const { by = 'country', key } = search
  const isShown = key === row.key
  const { key: _key, ...others } = search
  return (
    <Tr className={isShown ? 'bg-ink/6' : undefined}>
      <Td className="max-w-56 truncate md:pl-4">
        <button
          type="button"
          aria-pressed={isShown}
          title={isShown ? 'Show all calls in the chart' : 'Show in the chart'}
          onClick={() => onGo(isShown ? others : { ...search, key: row.key })}
          className="max-w-full truncate text-left font-medium hover:underline"
        >
          {nameOf(by, row)}
        </button>
      </Td>
      {figureNames.map((name) => (
        <Td key={name} numeric className="last:md:pr-4">
          <Figure name={name} row={row} calls={callsBehind(name, days, { by, key: row.key })} />
        </Td>
      ))}
    </Tr>
  )
}

/** The figure, with its change in the tooltip; calls and revenue show it beside. */
function Figure({ name, row, calls }: { name: FigureName; row: AnalysisRow; calls: CdrSearch }) {
  const { write, unit, isLowerBetter = false } = figureLooks[name]
  const value = row.figures[name]
  const then = row.before?.[name] ?? null
  const text = <span className={value !== null && value < 0 ? 'text-danger' : undefined}>{write(value)}</span>
  return (
    <span title={`${write(then)} in the period before`} className="inline-flex items-baseline gap-1.5">
      {hasChange(name) && (
        <span className="text-muted text-xs max-xl:hidden">
          <ChangeText change={changeBetween(value, then, unit === 'percent')} isLowerBetter={isLowerBetter} />
        </span>
      )}
      {value === null ? (
        text
      ) : (
        <Link
          to="/admin-panal/calls"
          search={calls}
          preload={false}
          // The links of calls and answered calls have the same targets, so the Tab key skips the others.
          tabIndex={isMain(name) ? undefined : -1}
          className={isMain(name) ? linked : 'underline-offset-4 hover:underline'}
        >
          {text}
        </Link>
      )}
    </span>
  )
}

const isMain = (name: FigureName): boolean => name === 'calls' || name === 'answered'

const hasChange = (name: FigureName): boolean =>
  name === 'calls' || name === 'answer_rate' || name === 'revenue' || name === 'margin'
