import { useQuery } from '@tanstack/react-query'
import type { Ticket, TicketMessage, TicketNote, TicketPriority } from '@trunkline/contract/tickets'
import { Lock } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { ApiError, explain } from '../../app/api.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { Loading, Skeleton } from '../../ui/Skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Failure } from '../Failure.tsx'
import { formatDateTime } from '../format/dates.ts'
import type { TicketDesk } from './desk.ts'
import { priorities } from './priorities.ts'
import { Reply } from './Reply.tsx'
import { timelineOf } from './timeline.ts'

/** Parts that only the staff sees. */
export type StaffParts<T extends Ticket> = {
  owner: (ticket: T) => ReactNode
  facts: (ticket: T) => ReactNode
  controls: (ticket: T) => ReactNode
  replyTools: (ticket: T, insert: (text: string) => void) => ReactNode
  noteForm: (ticket: T) => ReactNode
}

type ThreadProps<T extends Ticket> = {
  desk: TicketDesk<T>
  ticketId: number
  staff?: StaffParts<T>
}

/** A ticket with its messages. New messages appear automatically. */
export function Thread<T extends Ticket>({ desk, ticketId, staff }: ThreadProps<T>) {
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
      <Heading desk={desk} ticket={thread.ticket} staff={staff} />
      <div role="log" aria-label="Messages" className="mb-6 flex flex-col gap-5">
        {timelineOf(thread.messages, thread.notes).map((item) =>
          item.kind === 'message' ? (
            <Message key={item.key} message={item.message} />
          ) : (
            <Note key={item.key} note={item.note} />
          ),
        )}
      </div>
      <Answer desk={desk} ticket={thread.ticket} staff={staff} />
    </>
  )
}

type PartProps<T extends Ticket> = { desk: TicketDesk<T>; ticket: T; staff: StaffParts<T> | undefined }

function Answer<T extends Ticket>({ desk, ticket, staff }: PartProps<T>) {
  if (ticket.status === 'closed')
    return (
      <div className="flex flex-col gap-5">
        <Closed desk={desk} ticketId={ticket.id} />
        {staff?.noteForm(ticket)}
      </div>
    )
  if (!staff) return <Reply desk={desk} ticketId={ticket.id} />
  return (
    <Tabs defaultValue="reply">
      <TabList aria-label="Answer">
        <Tab value="reply">Reply</Tab>
        <Tab value="note">Internal note</Tab>
      </TabList>
      <TabPanel value="reply">
        <Reply desk={desk} ticketId={ticket.id} tools={(insert) => staff.replyTools(ticket, insert)} />
      </TabPanel>
      <TabPanel value="note">{staff.noteForm(ticket)}</TabPanel>
    </Tabs>
  )
}

function Heading<T extends Ticket>({ desk, ticket, staff }: PartProps<T>) {
  const change = desk.useChange(ticket.id)
  const isOpen = ticket.status === 'open'
  return (
    <header className="mb-5 border-b pb-4">
      <h2 className="break-words font-semibold text-lg tracking-tight">{ticket.subject}</h2>
      <p className="figures mt-0.5 text-muted text-sm">
        Ticket {ticket.id}
        {staff && <>, by {staff.owner(ticket)}</>}, opened {formatDateTime(ticket.createdAt)}
      </p>
      {staff?.facts(ticket)}
      {(isOpen || staff) && (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          {isOpen && (
            <Select
              aria-label="Priority"
              className="w-44"
              value={ticket.priority}
              disabled={change.isPending}
              onChange={(event) => change.mutate({ priority: event.target.value as TicketPriority })}
            >
              <Options of={priorities.map(([value, label]) => [value, `${label} priority`])} />
            </Select>
          )}
          {staff?.controls(ticket)}
          {isOpen && (
            <Button busy={change.isPending} onClick={() => change.mutate({ status: 'closed' })}>
              Close ticket
            </Button>
          )}
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

function Note({ note: { author, note, createdAt } }: { note: TicketNote }) {
  return (
    <article className="rounded-lg border border-pending/50 border-dashed bg-pending-soft px-3.5 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Badge tone="pending">
          <Lock aria-hidden className="size-3" />
          Internal note
        </Badge>
        <span className="font-medium text-sm">{author ?? 'Deleted account'}</span>
        <time dateTime={createdAt} className="figures text-muted text-xs">
          {formatDateTime(createdAt)}
        </time>
      </p>
      <p className="mt-1.5 whitespace-pre-wrap break-words">{note}</p>
    </article>
  )
}

const Waiting = () => (
  <Loading>
    <Skeleton className="mb-2 h-6 w-64 max-w-full" />
    <Skeleton className="mb-8 w-44" />
    <Skeleton className="mb-4 h-20 w-full" />
    <Skeleton className="h-20 w-full" />
  </Loading>
)
