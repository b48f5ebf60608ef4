import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { explain } from '../../../app/api.ts'
import { Failure } from '../../../common/Failure.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'

type PartProps<Data> = {
  query: UseQueryResult<Data>
  /** What to say when it cannot be loaded and the server gave no reason. */
  failed: string
  children: (data: Data) => ReactNode
}

/** Something that is loaded: a skeleton before, the reason and a retry where it failed. */
export function Part<Data>({ query, failed, children }: PartProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return query.isError ? (
    <Failure onRetry={() => void query.refetch()}>{explain(query.error, failed)}</Failure>
  ) : (
    <Waiting />
  )
}

type PagedProps<Page, Row> = {
  query: UseInfiniteQueryResult<{ pages: Page[] }>
  failed: string
  rowsOf: (page: Page) => readonly Row[]
  empty: { title: string; text?: string }
  children: (rows: Row[]) => ReactNode
}

/** A list that is read page by page, as far as somebody asks for more. */
export function Paged<Page, Row>({ query, failed, rowsOf, empty, children }: PagedProps<Page, Row>) {
  return (
    <Part query={query} failed={failed}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => rowsOf(page))
        if (rows.length === 0) return <EmptyState {...empty} />
        return (
          <>
            {children(rows)}
            {query.hasNextPage && (
              <Button
                className="mt-4"
                busy={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </>
        )
      }}
    </Part>
  )
}

const Waiting = () => (
  <div aria-busy="true" className="flex flex-col gap-3">
    <p className="sr-only" role="status">
      Loading...
    </p>
    {[0, 1, 2, 3].map((row) => (
      <Skeleton key={row} className="h-9 w-full" />
    ))}
  </div>
)
