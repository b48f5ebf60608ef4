import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { KeptContactRequest } from '@trunkline/contract/contact'
import { Check, Inbox, Reply, Undo2 } from 'lucide-react'
import { useSite } from '../../app/site.ts'
import { formatDateTime } from '../../common/format/dates.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { MoreBelow } from '../../common/ShowMore.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Select } from '../../ui/Select.tsx'
import { SkeletonList } from '../../ui/Skeleton.tsx'
import { requestsQuery, useMarkHandled } from './queries.ts'
import type { DeskSearch } from './search.ts'

export function ContactRequests({ search }: { search: DeskSearch }) {
  const state = search.handled ? 'handled' : 'open'
  const query = useInfiniteQuery(requestsQuery(state))
  const navigate = useNavigate({ from: '/admin-panal/support' })
  const show = (handled: 'yes' | undefined) =>
    void navigate({ to: '.', search: { view: 'requests', ...(handled && { handled }) }, replace: true })
  return (
    <>
      <Select
        aria-label="State"
        className="mb-4 w-48"
        value={search.handled ?? ''}
        onChange={(event) => show(event.target.value === 'yes' ? 'yes' : undefined)}
      >
        <option value="">Open</option>
        <option value="yes">Handled</option>
      </Select>
      <ListCard
        label="Contact requests"
        query={query}
        failed="The contact requests could not be loaded."
        waiting={<Waiting />}
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

type ListProps = { requests: readonly KeptContactRequest[]; state: 'open' | 'handled' }

const List = ({ requests, state }: ListProps) =>
  requests.length === 0 ? (
    <EmptyState
      icon={<Inbox />}
      title={state === 'open' ? 'No open requests' : 'No handled requests'}
      text={
        state === 'open'
          ? 'Messages from the contact form appear here.'
          : 'Requests that you mark as handled appear here.'
      }
    />
  ) : (
    <ul className="divide-y">
      {requests.map((request) => (
        <Request key={request.id} request={request} />
      ))}
    </ul>
  )

function Request({ request }: { request: KeptContactRequest }) {
  const { id, name, email, phone, message, created_at, handled_at, handled_by } = request
  const isHandled = handled_at !== null
  const mark = useMarkHandled()
  const site = useSite()?.name ?? ''
  return (
    <li className="p-5 lg:px-4 lg:py-2">
      <article
        aria-label={`Request of ${name}`}
        className="lg:grid lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center lg:gap-x-6"
      >
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-semibold">{name}</span>
          <span className="break-all text-muted text-sm">{email}</span>
          {phone !== '' && (
            <a
              href={`tel:${phone.replace(/[^+\d]/g, '')}`}
              className="figures rounded-sm text-muted text-sm underline underline-offset-4"
            >
              {phone}
            </a>
          )}
          <time dateTime={created_at} className="figures text-muted text-xs sm:ml-auto">
            {formatDateTime(created_at)}
          </time>
        </p>
        <p className="mt-2 max-w-prose whitespace-pre-wrap break-words lg:col-start-1 lg:mt-0.5 lg:max-w-none">
          {message}
        </p>
        <div className="mt-3 flex flex-wrap items-center gap-2 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:mt-0">
          <a href={mailTo(request, site)} className={buttonClass({ size: 'sm' })}>
            <Reply aria-hidden />
            Reply by email<span className="sr-only"> to {name}</span>
          </a>
          <Button size="sm" busy={mark.isPending} onClick={() => mark.mutate({ id, handled: !isHandled })}>
            {isHandled ? <Undo2 aria-hidden /> : <Check aria-hidden />}
            {isHandled ? 'Mark as unhandled' : 'Mark as handled'}
            <span className="sr-only">, the request of {name}</span>
          </Button>
          {isHandled && (
            <span className="figures text-muted text-sm">
              Handled {handled_by && `by ${handled_by}, `}
              {formatDateTime(handled_at)}
            </span>
          )}
        </div>
      </article>
    </li>
  )
}

/** A reply with the message quoted below. */
function mailTo({ name, email, message }: KeptContactRequest, site: string): string {
  const quoted = message
    .slice(0, 1_000)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  const subject = encodeURIComponent(`Your message to ${site}`)
  const body = encodeURIComponent(`Hello ${name},\n\n\n\n${quoted}\n`)
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=${subject}&body=${body}`
}

const Waiting = () => (
  <SkeletonList
    rows={3}
    className="flex-col gap-2.5 p-5"
    parts={['w-56', 'w-full max-w-prose', 'h-8 w-40']}
  />
)
