import { useQuery } from '@tanstack/react-query'
import type { Review } from '@trunkline/contract/admin-payments'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { explain } from '../../../app/api.ts'
import { Failure } from '../../../common/Failure.tsx'
import { Pager } from '../../../common/Pager.tsx'
import { usePlaces } from '../../../common/use-places.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { type ReviewState, reviewsQuery } from '../queries.ts'
import type { PaymentsSearch } from '../search.ts'
import { ResolveDialog } from './ResolveDialog.tsx'
import { ReviewItem } from './ReviewItem.tsx'

type ReviewListProps = {
  search: PaymentsSearch
  onGo: (next: PaymentsSearch, replace?: boolean) => void
}

export type Deciding = { review: Review; action: 'credit' | 'ignore' }

/** Money that came under, over, late, or to nobody: what happened, what we hold, and what can be done about it. */
export function ReviewList({ search, onGo }: ReviewListProps) {
  const state: ReviewState = search.decided ?? 'open'
  const [deciding, decide] = useState<Deciding | null>(null)
  const page = useQuery(reviewsQuery(state, search.before))
  const places = usePlaces({ state }, search.before, page.isPlaceholderData ? null : page.data?.next)
  const list = { view: 'reviews', ...(search.decided && { decided: search.decided }) } as const
  const reviews = page.data?.reviews ?? []
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <p className="mr-auto max-w-2xl text-muted text-sm">
          Money that does not fit is never credited unasked and never lost: it waits here until somebody
          decides, and says why.
        </p>
        <Select
          aria-label="Which items"
          className="w-40"
          value={state}
          onChange={({ target }) =>
            onGo({
              view: 'reviews',
              ...(target.value !== 'open' && { decided: target.value as 'credited' | 'ignored' }),
            })
          }
        >
          <option value="open">Open</option>
          <option value="credited">Credited</option>
          <option value="ignored">Ignored</option>
        </Select>
      </div>
      <Card aria-label="For review" className="p-0" aria-busy={page.isPending || page.isPlaceholderData}>
        {page.isPending ? (
          <Waiting />
        ) : page.isError && !page.data ? (
          <div className="p-5">
            <Failure onRetry={() => void page.refetch()}>
              {explain(page.error, 'The review list could not be loaded.')}
            </Failure>
          </div>
        ) : reviews.length === 0 ? (
          <EmptyState
            icon={<CircleCheck />}
            title={state === 'open' ? 'Nothing to review' : `Nothing was ${state} yet`}
            text={state === 'open' ? 'All money that came has found its place.' : undefined}
            action={search.before !== undefined && <Button onClick={() => onGo(list)}>Newest items</Button>}
          />
        ) : (
          <>
            <ul className="divide-y">
              {reviews.map((review) => (
                <ReviewItem key={review.id} review={review} search={search} onDecide={decide} />
              ))}
            </ul>
            {(places.older || !places.isFirst) && (
              <Pager
                label="Pages of the review list"
                places={places}
                onGo={(before) => onGo({ ...list, ...(before !== undefined && { before }) })}
              />
            )}
          </>
        )}
      </Card>
      {deciding && <ResolveDialog {...deciding} onDone={() => decide(null)} />}
    </>
  )
}

const Waiting = () => (
  <div className="divide-y">
    <p className="sr-only" role="status">
      Loading...
    </p>
    {[0, 1, 2].map((row) => (
      <div key={row} className="flex flex-col gap-3 p-5">
        <Skeleton className="w-56" />
        <Skeleton className="w-full max-w-xl" />
        <Skeleton className="w-40" />
      </div>
    ))}
  </div>
)
