import type { ReactNode } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { type CdrSearch, DEFAULT_PERIOD, filtersIn, selectionOf } from './search.ts'

type NoCallsProps = {
  search: CdrSearch
  onSelect: (next: CdrSearch) => void
  /** What to say where there has never been a call. */
  never: ReactNode
}

/** Nothing fits: says what was asked for, and what to ask for instead. */
export function NoCalls({ search, onSelect, never }: NoCallsProps) {
  const { period = DEFAULT_PERIOD, from, to } = search
  const isNarrowed =
    search.search !== undefined || search.user !== undefined || Object.keys(filtersIn(search)).length > 0
  if (search.cursor !== undefined)
    return (
      <EmptyState
        title="No older calls"
        text="This is where the list ends."
        action={<Button onClick={() => onSelect(selectionOf(search))}>Newest calls</Button>}
      />
    )
  if (isNarrowed)
    return (
      <EmptyState
        title="No calls fit"
        text={`Nothing ${when(search)} fits what you searched and filtered for.`}
        action={
          <Button onClick={() => onSelect({ period, ...(from && { from }), ...(to && { to }) })}>
            Clear search and filters
          </Button>
        }
      />
    )
  if (period !== 'custom' || from || to)
    return (
      <EmptyState
        title={`No calls ${when(search)}`}
        text="A call is listed here as soon as it has ended."
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {period !== 'month' && <Button onClick={() => onSelect({ period: 'month' })}>This Month</Button>}
            <Button onClick={() => onSelect({ period: 'custom' })}>All calls</Button>
          </div>
        }
      />
    )
  return never
}

function when({ period = DEFAULT_PERIOD, from, to }: CdrSearch): string {
  if (period === 'today') return 'today'
  if (period === 'week') return 'in the last 7 days'
  if (period === 'month') return 'in the last month'
  return from || to ? 'on these days' : 'at any time'
}
