import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { explain } from '../app/api.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Failure } from './Failure.tsx'
import { ShowMore } from './ShowMore.tsx'

type LoadedProps<Data> = {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isError' | 'refetch'>
  /** What to say when it cannot be loaded and the server gave no reason. */
  failed: string
  /** What holds its place until then. */
  waiting?: ReactNode
  /** Of the failure: what it keeps from the edges. */
  className?: string
  children: (data: Data) => ReactNode
}

/** Something that is loaded: a skeleton before, the reason and a retry where it failed. */
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

/** A list that is read page by page, as far as somebody asks for more. */
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
  <div aria-busy="true" className="flex flex-col gap-3">
    <p className="sr-only" role="status">
      Loading...
    </p>
    {[0, 1, 2, 3].map((row) => (
      <Skeleton key={row} className="h-9 w-full" />
    ))}
  </div>
)
