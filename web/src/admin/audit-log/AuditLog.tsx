import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { explain } from '../../app/api.ts'
import { CsvButton } from '../../common/CsvButton.tsx'
import { Failure } from '../../common/Failure.tsx'
import { Pager } from '../../common/Pager.tsx'
import { usePlaces } from '../../common/use-places.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Entry } from './Entry.tsx'
import { Filters } from './Filters.tsx'
import { pageQuery } from './queries.ts'
import { type AuditSearch, askFor, readSearch, selectionOf } from './search.ts'

/** Who of the staff did what, before and after, and why. */
export function AuditLog() {
  const search = readSearch(useSearch({ strict: false }))
  const selection = selectionOf(search)
  const navigate = useNavigate({ from: '/admin-panal/audit-log' })
  const go = (next: AuditSearch, replace = false) =>
    void navigate({ to: '.', search: next, replace, resetScroll: false })
  const page = useQuery(pageQuery(selection, search.before))
  const places = usePlaces(selection, search.before, page.isPlaceholderData ? null : page.data?.next)
  return (
    <>
      <header className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-semibold text-2xl tracking-tight">Audit Log</h1>
        <CsvButton
          of="entries"
          address="GET /api/admin/audit-log.csv"
          query={askFor(selection)}
          fileName="audit_log.csv"
        />
      </header>
      <Filters selection={selection} onSelect={(next) => go(next, true)} />
      <Card aria-label="Entries" className="p-0" aria-busy={page.isPending || page.isPlaceholderData}>
        {page.isPending ? (
          <Waiting />
        ) : !page.data ? (
          <div className="p-5">
            <Failure onRetry={() => void page.refetch()}>
              {explain(page.error, 'The audit log could not be loaded.')}
            </Failure>
          </div>
        ) : page.data.entries.length === 0 ? (
          <EmptyState
            icon={<ScrollText />}
            title={Object.keys(selection).length > 0 ? 'No entry fits' : 'Nothing was done yet'}
            text="Whatever an administrator changes is written here, with how it was before."
            action={
              Object.keys(selection).length > 0 && (
                <Button size="sm" onClick={() => go({})}>
                  Show all entries
                </Button>
              )
            }
          />
        ) : (
          <>
            <ol className="divide-y">
              {page.data.entries.map((entry) => (
                <Entry key={entry.id} entry={entry} selection={selection} />
              ))}
            </ol>
            <Pager
              label="Pages of the log"
              places={places}
              onGo={(before) => go({ ...selection, ...(before !== undefined && { before }) })}
            />
          </>
        )}
      </Card>
    </>
  )
}

const Waiting = () => (
  <div className="divide-y">
    <p role="status" className="sr-only">
      Loading...
    </p>
    {[0, 1, 2, 3, 4].map((row) => (
      <div key={row} className="flex h-20 flex-col justify-center gap-2.5 px-5">
        <Skeleton className="w-72 max-w-full" />
        <Skeleton className="w-44" />
      </div>
    ))}
  </div>
)
