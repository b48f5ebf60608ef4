import type { ReactNode } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { type CdrSearch, DEFAULT_PERIOD, filtersIn, selectionOf } from './search.ts'

type NoCallsProps = {
  search: CdrSearch
  onSelect: (next: CdrSearch) => void
  /** Shown if the account has no calls at all. */
  never: ReactNode
}

/** The empty state names the selection and offers a wider one. */
export function NoCalls({ search, onSelect, never }: NoCallsProps) {
  const { period = DEFAULT_PERIOD, from, to } = search
  const isNarrowed =
    [search.search, search.user, search.hour].some((value) => value !== undefined) ||
    Object.keys(filtersIn(search)).length > 0
  if (search.cursor !== undefined)
    return (
      <EmptyState
        title="No older calls"
        text="You have reached the end of the list."
        action={<Button onClick={() => onSelect(selectionOf(search))}>Show newest calls</Button>}
      />
    )
  if (search.missed && !isNarrowed)
    return (
      <EmptyState
        title="No missed calls"
        text={`Nobody called without reaching you ${when(search)}.`}
        action={
          (period !== 'custom' || from || to) && (
            <Button onClick={() => onSelect({ missed: true, period: 'custom' })}>
              Show all missed calls
            </Button>
          )
        }
      />
    )
  if (isNarrowed)
    return (
      <EmptyState
        title="No matching calls"
        text={`No call ${when(search)} matches your search and filters.`}
        action={
          <Button
            onClick={() =>
              onSelect({
                period,
                ...(from && { from }),
                ...(to && { to }),
                ...(search.missed && { missed: true }),
              })
            }
          >
            Clear search and filters
          </Button>
        }
      />
    )
  if (period !== 'custom' || from || to)
    return (
      <EmptyState
        title={`No calls ${when(search)}`}
        text="Calls appear here when they end."
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {period !== 'month' && (
              <Button onClick={() => onSelect({ period: 'month' })}>Show this month</Button>
            )}
            <Button onClick={() => onSelect({ period: 'custom' })}>Show all calls</Button>
          </div>
        }
      />
    )
  return never
}

/** `in the last month` */
export function when({ period = DEFAULT_PERIOD, from, to, hour }: CdrSearch): string {
  if (hour !== undefined) return 'in this hour'
  if (period === 'today') return 'today'
  if (period === 'week') return 'in the last 7 days'
  if (period === 'month') return 'in the last month'
  return from || to ? 'on these days' : 'at any time'
}
