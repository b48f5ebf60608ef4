import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Pager } from '../../common/Pager.tsx'
import { ScreenTitle } from '../../common/ScreenTitle.tsx'
import { usePlaces } from '../../common/use-places.ts'
import { Card } from '../../ui/Card.tsx'
import { useAfterCalls } from '../live/use-after-calls.ts'
import { CallDrawer } from './CallDrawer.tsx'
import { CallTable, CallTableFailure, CallTableSkeleton } from './CallTable.tsx'
import { NoCalls } from './NoCalls.tsx'
import { viewersZone } from './period.ts'
import { pageQuery, totalsQuery } from './queries.ts'
import { type CdrSearch, readSearch, type Selection, selectionOf } from './search.ts'
import { Toolbar } from './Toolbar.tsx'
import { Totals } from './Totals.tsx'

const LEAST_PAUSE_MS = 2_000

export function CdrReport() {
  const search = readSearch(useSearch({ from: '/customer-gate/dashboard/cdr-report' }))
  const selection = selectionOf(search)
  const navigate = useNavigate({ from: '/dashboard/cdr-report' })
  const go = (next: CdrSearch, replace = false) =>
    void navigate({ to: '.', search: next, replace, resetScroll: false })

  const page = useQuery(pageQuery(selection, search.cursor))
  // New calls appear on the first page.
  useAfterCalls(LEAST_PAUSE_MS, () => {
    if (search.cursor === undefined) void page.refetch()
  })
  const places = usePlaces(selection, search.cursor, page.isPlaceholderData ? null : page.data?.next)
  useFreshTotals(selection, search.cursor === undefined && !page.isPlaceholderData ? page.data : undefined)

  return (
    <>
      <ScreenTitle title="CDR Reports" text="Call Detail Records and Analytics" />
      <Toolbar selection={selection} onSelect={go} />
      <Totals selection={selection} />
      <Card aria-label="Calls" className="p-0" aria-busy={page.isPending || page.isPlaceholderData}>
        {page.isPending ? (
          <CallTableSkeleton />
        ) : page.isError && !page.data ? (
          <CallTableFailure isBusy={page.isFetching} onRetry={() => void page.refetch()} />
        ) : page.data?.records.length === 0 ? (
          <NoCalls search={search} onSelect={go} />
        ) : (
          <>
            <CallTable records={page.data?.records ?? []} isOld={page.isPlaceholderData} search={search} />
            <Pager
              label="Pages of calls"
              places={places}
              note={`Times in ${viewersZone().replaceAll('_', ' ')}`}
              onGo={(cursor) => go({ ...selection, cursor })}
            />
          </>
        )}
      </Card>
      <CallDrawer id={search.call} onClose={() => go({ ...search, call: undefined }, true)} />
    </>
  )
}

/** New calls on the first page are new figures above it. */
function useFreshTotals(selection: Selection, firstPage: unknown): void {
  const client = useQueryClient()
  const { queryKey } = totalsQuery(selection)
  const name = JSON.stringify(queryKey)
  // The cache keeps an answer that says the same as the one before, so this runs when something has changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the same while its name is
  useEffect(() => {
    if (firstPage) void client.invalidateQueries({ queryKey })
  }, [client, name, firstPage])
}
