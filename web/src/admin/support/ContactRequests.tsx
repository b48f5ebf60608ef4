import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { KeptContactRequest } from '@trunkline/contract/contact'
import { Check, Inbox, Reply, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useSite } from '../../app/site.ts'
import { formatDateTime } from '../../common/format/dates.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { MoreBelow } from '../../common/ShowMore.tsx'
import { Button, buttonClass, inRowClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { aboveFoldClass, FoldButton } from '../../ui/FoldButton.tsx'
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

/** One line on wide screens, which opens to the whole text and the phone number. */
function Request({ request }: { request: KeptContactRequest }) {
  const { id, name, email, phone, message, created_at, handled_at, handled_by } = request
  const [isOpen, setOpen] = useState(false)
  const isHandled = handled_at !== null
  const mark = useMarkHandled()
  const site = useSite()?.name ?? ''
  return (
    <li>
      <article
        aria-label={`Request of ${name}`}
        className={cx(
          'relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3 lg:flex lg:min-h-9 lg:py-1 lg:text-sm',
          isOpen ? 'lg:items-start' : 'hover:bg-ink/3',
        )}
      >
        <div
          className={cx(
            'flex min-w-0 items-baseline gap-x-3 max-lg:col-span-2 lg:w-72 lg:shrink-0',
            isOpen && 'flex-wrap lg:py-1',
          )}
        >
          <span className={cx('font-semibold', isOpen ? 'break-words' : 'max-w-[65%] shrink-0 truncate')}>
            {name}
          </span>
          <span className={cx('text-muted text-sm', isOpen ? 'break-all' : 'truncate')}>{email}</span>
          {isOpen && phone !== '' && (
            <a
              href={`tel:${phone.replace(/[^+\d]/g, '')}`}
              className="figures rounded-sm text-muted text-sm underline underline-offset-4"
            >
              {phone}
            </a>
          )}
        </div>
        <p
          className={cx(
            'min-w-0 max-lg:col-span-2 lg:flex-1',
            isOpen ? 'max-w-prose whitespace-pre-wrap break-words lg:py-1' : 'truncate',
          )}
        >
          {message}
        </p>
        <div
          className={cx(
            'figures text-muted text-sm max-lg:col-span-2 lg:max-w-72 lg:shrink-0',
            isOpen ? 'lg:py-1 lg:text-right' : 'truncate',
          )}
        >
          {(isOpen || !isHandled) && <time dateTime={created_at}>{formatDateTime(created_at)}</time>}
          {isHandled && (
            <p className={cx(!isOpen && 'truncate')}>
              Handled {handled_by && `by ${handled_by}, `}
              {formatDateTime(handled_at)}
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2 max-lg:col-span-2 max-lg:mt-1 lg:flex-nowrap">
          <a
            href={mailTo(request, site)}
            className={cx(buttonClass({ size: 'sm' }), aboveFoldClass, inRowClass)}
          >
            <Reply aria-hidden />
            Reply<span className="sr-only"> by email to {name}</span>
          </a>
          <Button
            size="sm"
            className={cx(aboveFoldClass, inRowClass)}
            busy={mark.isPending}
            onClick={() => mark.mutate({ id, handled: !isHandled })}
          >
            {isHandled ? <Undo2 aria-hidden /> : <Check aria-hidden />}
            {isHandled ? 'Mark as unhandled' : 'Mark as handled'}
            <span className="sr-only">, the request of {name}</span>
          </Button>
          <FoldButton
            of={`request of ${name}`}
            isOpen={isOpen}
            onToggle={() => setOpen(!isOpen)}
            className="max-lg:ml-auto"
          />
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
    rows={4}
    className="h-24 flex-col justify-center gap-2.5 px-5 lg:h-9 lg:flex-row"
    parts={['w-56', 'w-full max-w-prose']}
  />
)
