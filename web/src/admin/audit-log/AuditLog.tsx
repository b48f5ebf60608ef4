import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { CsvButton } from '../../common/CsvButton.tsx'
import { ListCard } from '../../common/ListCard.tsx'
import { Pager } from '../../common/Pager.tsx'
import { usePagination } from '../../common/use-pagination.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SkeletonList } from '../../ui/Skeleton.tsx'
import { Entry } from './Entry.tsx'
import { Filters } from './Filters.tsx'
import { pageQuery } from './queries.ts'
import { type AuditSearch, askFor, readSearch, selectionOf } from './search.ts'

export function AuditLog() {
  const search = readSearch(useSearch({ strict: false }))
  const selection = selectionOf(search)
  const isNarrowed = Object.keys(selection).length > 0
  const navigate = useNavigate({ from: '/admin-panal/audit-log' })
  const go = (next: AuditSearch, replace = false) =>
    void navigate({ to: '.', search: next, replace, resetScroll: false })
  const page = useQuery(pageQuery(selection, search.before))
  const pagination = usePagination(selection, search.before, page.isPlaceholderData ? null : page.data?.next)
  return (
    <>
      <header className="mb-4 grid grid-cols-2 items-center gap-2 lg:flex short:max-lg:mb-2 short:max-lg:grid-cols-3">
        <h1 className="mr-auto font-semibold text-2xl tracking-tight max-lg:col-span-2">Audit Log</h1>
        <Filters selection={selection} onSelect={(next) => go(next, true)} />
        <CsvButton
          of="entries"
          address="GET /api/admin/audit-log.csv"
          query={askFor(selection)}
          fileName="audit_log.csv"
        />
      </header>
      <ListCard
        label="Entries"
        query={page}
        failed="The audit log could not be loaded."
        waiting={<Waiting />}
      >
        {({ entries }) =>
          entries.length === 0 ? (
            <EmptyState
              icon={<ScrollText />}
              title={isNarrowed ? 'No matching entries' : 'No entries yet'}
              text="Every change by an administrator is recorded here, with the values before and after."
              action={
                isNarrowed && (
                  <Button size="sm" onClick={() => go({})}>
                    Show all entries
                  </Button>
                )
              }
            />
          ) : (
            <>
              <ol className="divide-y">
                {entries.map((entry) => (
                  <Entry key={entry.id} entry={entry} selection={selection} />
                ))}
              </ol>
              <Pager
                label="Pages of the log"
                pagination={pagination}
                onGo={(before) => go({ ...selection, ...(before !== undefined && { before }) })}
              />
            </>
          )
        }
      </ListCard>
    </>
  )
}

const Waiting = () => (
  <SkeletonList
    rows={5}
    className="h-20 flex-col justify-center gap-2.5 px-5 lg:h-9 lg:flex-row"
    parts={['w-72 max-w-full', 'w-44']}
  />
)
