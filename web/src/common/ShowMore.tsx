import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { Button } from '../ui/Button.tsx'

type ShowMoreProps = Pick<ComponentProps<typeof Button>, 'size' | 'className'> & {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
}

/** Loads the next page, if there is one. */
export const ShowMore = ({ query, ...look }: ShowMoreProps) =>
  query.hasNextPage && (
    <Button {...look} busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      Show more
    </Button>
  )

/** For lists without padding. */
export const MoreBelow = ({ query }: Pick<ShowMoreProps, 'query'>) =>
  query.hasNextPage && (
    <div className="border-t px-5 py-3">
      <ShowMore query={query} size="sm" />
    </div>
  )
