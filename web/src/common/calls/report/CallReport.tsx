import type { AdminCdrDetails, CdrDetails, CdrRecord } from '@trunkline/contract/cdr'
import { type ReactNode, useDeferredValue, useEffect } from 'react'
import { Card } from '../../../ui/Card.tsx'
import { viewersZone } from '../../format/viewer.ts'
import { Pager } from '../../Pager.tsx'
import { useLazyModule, useLoadFailure } from '../../use-lazy-module.ts'
import { CallTable, CallTableFailure, CallTableSkeleton } from './CallTable.tsx'
import type { CallColumn } from './call-columns.tsx'
import { NoCalls } from './NoCalls.tsx'
import type { CdrSearch } from './search.ts'
import { type CallSource, CallSourceProvider } from './source.ts'
import { type OperatorToolbar, Toolbar } from './Toolbar.tsx'
import { Totals } from './Totals.tsx'
import { useReport } from './use-report.ts'

type CallReportProps<Call extends CdrRecord> = {
  source: CallSource<Call>
  search: CdrSearch
  onGo: (next: CdrSearch, replace?: boolean) => void
  path: '/dashboard/cdr-report' | '/admin-panal/calls'
  caption: string
  /** Shown if the account has no calls at all. */
  never: ReactNode
  /** Above the toolbar. */
  views?: ReactNode
  /** A column after the others. */
  extra?: CallColumn<Call> | undefined
  /** What administrators see in addition. Rows and toolbar are denser. */
  operator?: OperatorReport<Call>
}

export type OperatorReport<Call extends CdrRecord> = {
  toolbar: OperatorToolbar
  columns: readonly CallColumn<Call>[]
  linksOf: (record: CdrDetails | AdminCdrDetails) => ReactNode
  partsOf: (record: CdrDetails | AdminCdrDetails) => ReactNode
}

/** The calls are painted by then, also on a slow phone. */
const DRAWER_AFTER_MS = 500

const loadDrawer = () => import('./CallDrawer.tsx')

/** Search, totals, list and details of calls. The URL holds the selection. */
export function CallReport<Call extends CdrRecord>({
  source,
  search,
  onGo,
  never,
  views,
  operator,
  ...table
}: CallReportProps<Call>) {
  const { selection, page, pagination } = useReport(source, search)
  // Rows are drawn in small steps instead of one long task.
  const records = useDeferredValue(page.data?.records)
  const isBusy = page.isPending || page.isPlaceholderData || records !== page.data?.records
  const isOpen = search.call !== undefined
  const close = () => onGo({ ...search, call: undefined }, true)
  const drawer = useLazyModule('call-drawer', loadDrawer, isOpen)
  useLoadFailure(drawer, isOpen, close)
  // After the calls, so that they are shown sooner and details still open at once. An open drawer shows a failure.
  useEffect(() => {
    if (!page.isFetched) return
    const timer = setTimeout(() => loadDrawer().catch(() => {}), DRAWER_AFTER_MS)
    return () => clearTimeout(timer)
  }, [page.isFetched])
  return (
    <CallSourceProvider value={source}>
      {views}
      <Toolbar selection={selection} onSelect={onGo} operator={operator?.toolbar} />
      <Totals selection={selection} isLine={operator !== undefined} />
      <Card aria-label="Calls" className="p-0" aria-busy={isBusy}>
        {page.isPending ? (
          <CallTableSkeleton isDense={operator !== undefined} />
        ) : page.isError && !page.data ? (
          <CallTableFailure isBusy={page.isFetching} onRetry={() => void page.refetch()} />
        ) : page.data?.records.length === 0 ? (
          <NoCalls search={search} onSelect={onGo} never={never} />
        ) : !records?.length ? (
          <CallTableSkeleton isDense={operator !== undefined} />
        ) : (
          <>
            <CallTable
              {...table}
              columns={operator?.columns}
              records={records}
              isOld={page.isPlaceholderData}
              search={search}
            />
            <Pager
              label="Pages of calls"
              pagination={pagination}
              note={`Times in ${viewersZone().replaceAll('_', ' ')}`}
              onGo={(cursor) => onGo({ ...selection, cursor })}
            />
          </>
        )}
      </Card>
      {drawer.data && (
        <drawer.data.CallDrawer
          id={search.call}
          onClose={close}
          onOpen={(call) => onGo({ ...search, call })}
          linksOf={operator?.linksOf}
          partsOf={operator?.partsOf}
        />
      )}
    </CallSourceProvider>
  )
}
