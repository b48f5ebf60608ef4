import { useQuery } from '@tanstack/react-query'
import type { PriceChange, PriceRow, ShownPrices } from '@trunkline/contract/bulk-pricing'
import { useState } from 'react'
import { CsvButton } from '../../common/CsvButton.tsx'
import { formatNumber } from '../../common/format/numbers.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { inOrder, Pager } from '../../common/Pager.tsx'
import { usePagination } from '../../common/use-pagination.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { PriceTable } from './PriceTable.tsx'
import { rowsQuery } from './queries.ts'
import { SkippedTable } from './SkippedTable.tsx'

type Kind = { label: string; count: (change: PriceChange) => number; empty: string }

const kinds: Readonly<Record<ShownPrices, Kind>> = {
  changed: { label: 'Changed', count: ({ counts }) => counts.changed, empty: 'No price changes' },
  rises: { label: 'Only rises', count: ({ counts }) => counts.rises, empty: 'No price rises' },
  cuts: { label: 'Only price cuts', count: ({ counts }) => counts.cuts, empty: 'No price falls' },
  below_cost: {
    label: 'Below cost before',
    count: ({ counts }) => counts.below_cost,
    empty: 'No changed price was below cost',
  },
  unchanged: {
    label: 'Already right',
    count: ({ counts }) => counts.unchanged,
    empty: 'No price is already right',
  },
  skipped: { label: 'Skipped', count: ({ counts }) => counts.skipped, empty: 'No price is skipped' },
  left: { label: 'Not restored', count: ({ left }) => left ?? 0, empty: 'Every price was restored' },
}

type PricesProps = {
  change: PriceChange
  /** The first page of changed prices, if it is known. */
  first?: { rows: PriceRow[]; next: number | null }
  /** The rows belong to an earlier rule. */
  isOld?: boolean
}

/** The prices of a preview or of an applied change. */
export function Prices({ change, first, isOld = false }: PricesProps) {
  const [show, setShow] = useState<ShownPrices>((change.left ?? 0) > 0 ? 'left' : 'changed')
  const [page, setPage] = useState<{ of: string; after: number | undefined }>({ of: '', after: undefined })
  // A new preview and another kind begin with the first page.
  const list = `${change.id} ${show}`
  const after = page.of === list ? page.after : undefined
  const isFirst = show === 'changed' && after === undefined && first !== undefined
  const read = useQuery({
    ...rowsQuery(change.id, show, after),
    ...(isFirst && { initialData: first, staleTime: Number.POSITIVE_INFINITY }),
  })
  const pagination = usePagination(
    { id: change.id, show },
    after,
    read.isPlaceholderData ? null : read.data?.next,
  )
  const isFaded = isOld || read.isPlaceholderData
  const Rows = show === 'skipped' ? SkippedTable : PriceTable
  return (
    <Tabs value={show} onValueChange={(next) => setShow(next as ShownPrices)}>
      <div className="flex flex-wrap items-center gap-x-3 border-b px-3 pt-1 sm:px-4 short:flex-nowrap short:pt-0">
        <TabList aria-label="Prices" className="-mb-px mr-auto min-w-0 border-b-0">
          {Object.entries(kinds)
            .filter(([kind]) => kind !== 'left' || change.state === 'undone')
            .map(([kind, { label, count }]) => (
              <Tab key={kind} value={kind}>
                {label} <span className="figures text-muted">{formatNumber(count(change))}</span>
              </Tab>
            ))}
        </TabList>
        <div className="py-1.5 lg:py-0 short:py-0">
          <CsvButton
            address="GET /api/admin/bulk-pricing/:id/rows.csv"
            params={{ id: change.id }}
            query={{ show }}
            fileName={`prices-${change.id}.csv`}
            of="prices"
          />
        </div>
      </div>
      <TabPanel value={show} className="pt-0!">
        <Loaded
          query={read}
          failed="The prices could not be loaded."
          waiting={<SkeletonRows rows={8} className="m-4 h-8" />}
          className="m-5"
        >
          {({ rows }) =>
            rows.length === 0 ? (
              <EmptyState title={kinds[show].empty} />
            ) : (
              <>
                <Rows rows={rows} caption={kinds[show].label} isOld={isFaded} />
                {(pagination.older || !pagination.isFirst) && (
                  <Pager
                    label="Pages of prices"
                    words={inOrder}
                    pagination={pagination}
                    onGo={(cursor) => setPage({ of: list, after: cursor })}
                  />
                )}
              </>
            )
          }
        </Loaded>
      </TabPanel>
    </Tabs>
  )
}
