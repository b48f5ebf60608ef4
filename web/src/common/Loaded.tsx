import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { explain } from '../app/api.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Loading, Skeleton } from '../ui/Skeleton.tsx'
import { Failure } from './Failure.tsx'
import { ShowMore } from './ShowMore.tsx'

type LoadedProps<Data> = {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isError' | 'refetch'>
  /** The error message if the server gave none. */
  failed: string
  /** Placeholder while loading. */
  waiting?: ReactNode
  /** Margins of the error. */
  className?: string
  children: (data: Data) => ReactNode
}

/** Renders a query: a skeleton while loading, an error with a retry, or the data. */
export function Loaded<Data>({
  query,
  failed,
  waiting = <Waiting />,
  className,
  children,
}: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (!query.isError) return waiting
  return (
    <Failure className={className} onRetry={() => void query.refetch()}>
      {explain(query.error, failed)}
    </Failure>
  )
}

type PagedProps<Page, Row> = {
  query: UseInfiniteQueryResult<{ pages: Page[] }>
  failed: string
  rowsOf: (page: Page) => readonly Row[]
  empty: { title: string; text?: string }
  children: (rows: Row[]) => ReactNode
}

/** An infinite list with a button for more. */
export function Paged<Page, Row>({ query, failed, rowsOf, empty, children }: PagedProps<Page, Row>) {
  return (
    <Loaded query={query} failed={failed}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => rowsOf(page))
        if (rows.length === 0) return <EmptyState {...empty} />
        return (
          <>
            {children(rows)}
            <ShowMore query={query} className="mt-4" />
          </>
        )
      }}
    </Loaded>
  )
}

const Waiting = () => (
  <Loading className="flex flex-col gap-3">
    {[0, 1, 2, 3].map((row) => (
      <Skeleton key={row} className="h-9 w-full" />
    ))}
  </Loading>
)
