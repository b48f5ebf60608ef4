import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { CallerIdRequest, CallerIdState } from '@trunkline/contract/caller-ids'
import { REASON_MAX } from '@trunkline/contract/limits'
import { Check, Phone, X } from 'lucide-react'
import { useState } from 'react'
import { withoutGaps } from '../../common/address.ts'
import { formatDateTime } from '../../common/format/dates.ts'
import { formatPhoneNumber } from '../../common/format/phone-numbers.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { SearchBox } from '../../common/SearchBox.tsx'
import { MoreBelow } from '../../common/ShowMore.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Select } from '../../ui/Select.tsx'
import { SkeletonList } from '../../ui/Skeleton.tsx'
import { UserLink } from '../users/UserLink.tsx'
import { callerIdsQuery, useDecision } from './queries.ts'
import type { DeskSearch } from './search.ts'

export function CallerIds({ search }: { search: DeskSearch }) {
  const state = search.state ?? 'pending'
  const query = useInfiniteQuery(callerIdsQuery(state, search.text))
  const navigate = useNavigate({ from: '/admin-panal/support' })
  const choose = (change: { state?: DeskSearch['state']; text?: string | undefined }) =>
    void navigate({
      to: '.',
      search: withoutGaps({ view: 'caller-ids' as const, state: search.state, text: search.text, ...change }),
      replace: true,
    })
  const isRequired = query.data?.pages[0]?.is_required
  return (
    <>
      <div className="mb-4 grid grid-cols-1 gap-2 sm:grid-cols-[12rem_minmax(0,20rem)]">
        <Select
          aria-label="State"
          value={state}
          onChange={(event) => {
            const chosen = event.target.value as CallerIdState
            choose({ state: chosen === 'pending' ? undefined : chosen })
          }}
        >
          <option value="pending">Pending</option>
          <option value="approved">Approved</option>
          <option value="rejected">Rejected</option>
        </Select>
        <SearchBox
          label="Search by username or number"
          placeholder="Username or number"
          text={search.text}
          onSearch={(text) => choose({ text })}
        />
      </div>
      {isRequired === false && (
        <Notice tone="info" className="mb-4">
          Approval is off (CALLER_IDS=any). Customers can call with any number they set.
        </Notice>
      )}
      <ListCard
        label="Caller IDs"
        query={query}
        failed="The caller IDs could not be loaded."
        waiting={<SkeletonList rows={3} className="flex-col gap-2.5 p-5" parts={['w-56', 'h-9 w-full']} />}
      >
        {({ pages }) => (
          <>
            <List requests={pages.flatMap((page) => page.requests)} state={state} />
            <MoreBelow query={query} />
          </>
        )}
      </ListCard>
    </>
  )
}

const empty: Record<CallerIdState, [title: string, text: string]> = {
  pending: ['No caller IDs to review', 'Numbers that customers set appear here.'],
  approved: ['No approved caller IDs', 'Numbers you approve appear here.'],
  rejected: ['No rejected caller IDs', 'Numbers you reject appear here.'],
}

function List({ requests, state }: { requests: readonly CallerIdRequest[]; state: CallerIdState }) {
  const [title, text] = empty[state]
  if (requests.length === 0) return <EmptyState icon={<Phone />} title={title} text={text} />
  return (
    <ul className="divide-y">
      {requests.map((request) => (
        <Request key={request.id} request={request} />
      ))}
    </ul>
  )
}

function Request({ request }: { request: CallerIdRequest }) {
  const { id, callerid, state, user, requested_at, decided_at, decided_by } = request
  const [note, setNote] = useState(request.note)
  const decision = useDecision()
  const decide = (wanted: 'approved' | 'rejected') => decision.mutate({ id, state: wanted, note })
  return (
    <li>
      <article
        aria-label={`Caller ID ${formatPhoneNumber(`+${callerid}`)} of ${user.username}`}
        className="flex flex-col gap-3 p-4 lg:min-h-9 lg:flex-row lg:items-center lg:gap-4 lg:py-0.5 lg:text-sm"
      >
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1 lg:w-84 lg:shrink-0 lg:flex-nowrap">
          <span className="figures shrink-0 font-semibold">
            <PhoneNumber of={`+${callerid}`} />
          </span>
          <UserLink
            user={user}
            className="break-all rounded-sm font-medium text-sm underline underline-offset-4 lg:truncate"
          />
          {user.company && (
            <span title={user.company} className="min-w-0 break-words text-muted text-sm lg:truncate">
              {user.company}
            </span>
          )}
        </p>
        <div className="flex flex-wrap items-center gap-2 lg:flex-1 lg:flex-nowrap">
          <Input
            aria-label={`Note to the customer about ${formatPhoneNumber(`+${callerid}`)}`}
            placeholder="Note to the customer (optional)"
            className="min-w-0 max-w-md flex-1 basis-56 lg:h-8 lg:max-w-none lg:text-sm"
            maxLength={REASON_MAX}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          {state !== 'approved' && (
            <Button size="sm" variant="primary" busy={decision.isPending} onClick={() => decide('approved')}>
              <Check aria-hidden />
              Approve<span className="sr-only"> +{callerid}</span>
            </Button>
          )}
          {state !== 'rejected' && (
            <Button size="sm" busy={decision.isPending} onClick={() => decide('rejected')}>
              <X aria-hidden />
              Reject<span className="sr-only"> +{callerid}</span>
            </Button>
          )}
        </div>
        <p className="figures text-muted text-sm lg:max-w-80 lg:shrink-0 lg:truncate">
          <time dateTime={requested_at} className={cx(decided_at !== null && 'lg:sr-only')}>
            Requested {formatDateTime(requested_at)}
          </time>
          {decided_at !== null && (
            <span className="block">
              {state === 'approved' ? 'Approved' : 'Rejected'} {decided_by && `by ${decided_by}, `}
              {formatDateTime(decided_at)}
            </span>
          )}
        </p>
      </article>
    </li>
  )
}
