import { useQuery } from '@tanstack/react-query'
import type { Ticket, TicketMessage, TicketPriority } from '@trunkline/contract/tickets'
import { type ReactNode, useEffect } from 'react'
import { ApiError, explain } from '../../app/api.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Select } from '../../ui/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { formatDateTime } from '../dates.ts'
import { Failure } from '../Failure.tsx'
import type { TicketDesk } from './desk.ts'
import { priorities } from './priorities.ts'
import { Reply } from './Reply.tsx'

type ThreadProps<T extends Ticket> = {
  desk: TicketDesk<T>
  ticketId: number
  /** The owner of the ticket, for administrators. */
  about?: (ticket: T) => ReactNode
}

/** A ticket with its messages. New messages appear automatically. */
export function Thread<T extends Ticket>({ desk, ticketId, about }: ThreadProps<T>) {
  const { data: thread, isPending, error, dataUpdatedAt, refetch } = useQuery(desk.threadQuery(ticketId))
  const ticket = thread?.ticket

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after every refetch, so that a failed update is retried
  useEffect(() => {
    if (ticket && ticket.unread > 0 && !document.hidden) desk.markRead(ticket.id).catch(() => {})
  }, [dataUpdatedAt])

  if (isPending) return <Waiting />
  if (!thread)
    return error instanceof ApiError && error.status === 404 ? (
      <EmptyState title="Ticket not found" text="Choose a ticket from the list." />
    ) : (
      <Failure onRetry={() => void refetch()}>{explain(error, 'The ticket could not be loaded.')}</Failure>
    )
  return (
    <>
      <Heading desk={desk} ticket={thread.ticket} about={about?.(thread.ticket)} />
      <div role="log" aria-label="Messages" className="mb-6 flex flex-col gap-5">
        {thread.messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </div>
      {thread.ticket.status === 'open' ? (
        <Reply desk={desk} ticketId={ticketId} />
      ) : (
        <Closed desk={desk} ticketId={ticketId} />
      )}
    </>
  )
}

function Heading<T extends Ticket>({
  desk,
  ticket,
  about,
}: {
  desk: TicketDesk<T>
  ticket: T
  about: ReactNode
}) {
  const change = desk.useChange(ticket.id)
  return (
    <header className="mb-5 border-b pb-4">
      <h2 className="break-words font-semibold text-lg tracking-tight">{ticket.subject}</h2>
      <p className="figures mt-0.5 text-muted text-sm">
        Ticket {ticket.id}
        {about && <>, by {about}</>}, opened {formatDateTime(ticket.createdAt)}
      </p>
      {ticket.status === 'open' && (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Select
            aria-label="Priority"
            className="w-44"
            value={ticket.priority}
            disabled={change.isPending}
            onChange={(event) => change.mutate({ priority: event.target.value as TicketPriority })}
          >
            {priorities.map(([value, label]) => (
              <option key={value} value={value}>
                {label} priority
              </option>
            ))}
          </Select>
          <Button busy={change.isPending} onClick={() => change.mutate({ status: 'closed' })}>
            Close ticket
          </Button>
        </div>
      )}
    </header>
  )
}

function Closed<T extends Ticket>({ desk, ticketId }: { desk: TicketDesk<T>; ticketId: number }) {
  const change = desk.useChange(ticketId)
  return (
    <Notice tone="info">
      <p>This ticket is closed. Reopen it to reply.</p>
      <Button
        size="sm"
        className="mt-2.5"
        busy={change.isPending}
        onClick={() => change.mutate({ status: 'open' })}
      >
        Reopen ticket
      </Button>
    </Notice>
  )
}

function Message({ message: { author, is_staff, message, createdAt } }: { message: TicketMessage }) {
  return (
    <article className="flex gap-3">
      <Avatar name={author} size={32} decorative className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <span className="font-medium text-sm">{author}</span>
          <time dateTime={createdAt} className="figures text-muted text-xs">
            {formatDateTime(createdAt)}
          </time>
        </p>
        <p
          className={cx(
            'mt-1 whitespace-pre-wrap break-words rounded-lg border px-3.5 py-2.5',
            is_staff ? 'border-signal-edge/40 bg-signal-soft' : 'bg-raised',
          )}
        >
          {message}
        </p>
      </div>
    </article>
  )
}

const Waiting = () => (
  <div aria-busy="true">
    <p role="status" className="sr-only">
      Loading...
    </p>
    <Skeleton className="mb-2 h-6 w-64 max-w-full" />
    <Skeleton className="mb-8 w-44" />
    <Skeleton className="mb-4 h-20 w-full" />
    <Skeleton className="h-20 w-full" />
  </div>
)
