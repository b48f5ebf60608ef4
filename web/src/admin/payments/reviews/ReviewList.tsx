import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { ListCard } from '../../../common/ListCard.tsx'
import { Pager } from '../../../common/Pager.tsx'
import { usePagination } from '../../../common/use-pagination.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Select } from '../../../ui/Select.tsx'
import { SkeletonList } from '../../../ui/Skeleton.tsx'
import { AgeBands } from '../../AgeBands.tsx'
import { type ReviewState, reviewsQuery } from '../queries.ts'
import type { PaymentsSearch } from '../search.ts'
import { ResolveDialog } from './ResolveDialog.tsx'
import { type Deciding, ReviewItem } from './ReviewItem.tsx'

type ReviewListProps = {
  search: PaymentsSearch
  onGo: (next: PaymentsSearch, replace?: boolean) => void
}

export function ReviewList({ search, onGo }: ReviewListProps) {
  const state: ReviewState = search.decided ?? 'open'
  const [deciding, decide] = useState<Deciding | null>(null)
  const age = state === 'open' ? search.age : undefined
  const page = useQuery(reviewsQuery(state, age, search.before))
  const pagination = usePagination(
    { state, age },
    search.before,
    page.isPlaceholderData ? null : page.data?.next,
  )
  const list = {
    view: 'reviews',
    ...(search.decided && { decided: search.decided }),
    ...(age && { age }),
  } as const
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <p className="mr-auto max-w-2xl text-muted text-sm">
          Payments that do not match are not credited automatically. Review each one and record a reason.
        </p>
        <Select
          aria-label="State"
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
      {state === 'open' && (
        <AgeBands
          label="Reviews by waiting time"
          className="mb-4 lg:mb-2"
          counts={page.data?.ages}
          chosen={age}
          link={(band, props) => (
            <Link
              to="/admin-panal/payments"
              search={{ view: 'reviews', ...(band && { age: band }) }}
              resetScroll={false}
              {...props}
            />
          )}
        />
      )}
      <ListCard
        label="For review"
        query={page}
        failed="The review list could not be loaded."
        waiting={<Waiting />}
      >
        {({ reviews }) =>
          reviews.length === 0 ? (
            <EmptyState
              icon={<CircleCheck />}
              title={
                age ? 'No matching items' : state === 'open' ? 'Nothing to review' : `No ${state} items yet`
              }
              text={state === 'open' && !age ? 'All received payments are credited.' : undefined}
              action={
                age ? (
                  <Button onClick={() => onGo({ view: 'reviews' })}>Show all items</Button>
                ) : (
                  search.before !== undefined && <Button onClick={() => onGo(list)}>Show newest items</Button>
                )
              }
            />
          ) : (
            <>
              <ul className="divide-y">
                {reviews.map((review) => (
                  <ReviewItem key={review.id} review={review} search={search} onDecide={decide} />
                ))}
              </ul>
              {(pagination.older || !pagination.isFirst) && (
                <Pager
                  label="Pages of the review list"
                  pagination={pagination}
                  onGo={(before) => onGo({ ...list, ...(before !== undefined && { before }) })}
                />
              )}
            </>
          )
        }
      </ListCard>
      {deciding && <ResolveDialog {...deciding} onDone={() => decide(null)} />}
    </>
  )
}

const Waiting = () => (
  <SkeletonList rows={3} className="flex-col gap-3 p-5" parts={['w-56', 'w-full max-w-xl', 'w-40']} />
)
