import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { StaffTicket } from '@trunkline/contract/tickets'
import { ArrowLeft, Hourglass, MessagesSquare, UserRound } from 'lucide-react'
import { formatSpan, formatWaited } from '../../common/format/durations.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { MoreBelow } from '../../common/ShowMore.tsx'
import { type StaffParts, Thread } from '../../common/tickets/Thread.tsx'
import { TicketRow, ticketLinkClass, WaitingForTickets } from '../../common/tickets/TicketRow.tsx'
import { useFocusOf } from '../../common/tickets/use-focus-of.ts'
import { Badge } from '../../ui/Badge.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { AgeBands } from '../AgeBands.tsx'
import { UserLink } from '../users/UserLink.tsx'
import { AnswerTimes } from './AnswerTimes.tsx'
import { AssigneeSelect } from './AssigneeSelect.tsx'
import { CannedReplies } from './CannedReplies.tsx'
import { Filters } from './Filters.tsx'
import { NoteForm } from './NoteForm.tsx'
import { desk, ticketsQuery } from './queries.ts'
import { type DeskSearch, isNarrowed, type Selection, selectionOf } from './search.ts'
import { TicketLine, ticketLineClass } from './TicketLine.tsx'

/** List and ticket side by side; a phone shows one at a time. */
export function Tickets({ search }: { search: DeskSearch }) {
  const selection = selectionOf(search)
  const navigate = useNavigate({ from: '/admin-panal/support' })
  const opened = search.ticket ?? null
  const { list, detail } = useFocusOf(opened)
  const isAside = opened !== null && 'max-lg:hidden'
  return (
    <>
      <div
        className={cx('mb-4 flex flex-wrap items-center gap-x-10 gap-y-3 short:mb-2 short:gap-y-1', isAside)}
      >
        <AnswerTimes />
        <WaitingTimes selection={selection} opened={opened} />
      </div>
      <Filters
        className={cx('mb-4 short:mb-2', isAside)}
        selection={selection}
        // The open ticket stays open when the filters change.
        onSelect={(next) =>
          void navigate({
            to: '.',
            search: { ...next, ...(opened !== null && { ticket: opened }) },
            replace: true,
            resetScroll: false,
          })
        }
      />
      <div
        className={cx(
          'grid grid-cols-1 items-start gap-4',
          opened !== null && 'lg:grid-cols-[22rem_minmax(0,1fr)] xl:grid-cols-[27rem_minmax(0,1fr)]',
        )}
      >
        <Card ref={list} tabIndex={-1} aria-label="Tickets" className={cx('p-0 outline-none', isAside)}>
          <TicketList selection={selection} opened={opened} />
        </Card>
        <Card
          ref={detail}
          tabIndex={-1}
          aria-label="Ticket"
          className={cx('outline-none sm:p-6', opened === null && 'hidden')}
        >
          <Link
            to="/admin-panal/support"
            search={selection}
            className={cx(buttonClass({ variant: 'ghost', size: 'sm' }), '-ml-2 mb-3')}
          >
            <ArrowLeft aria-hidden />
            All tickets
          </Link>
          {opened !== null && <Thread key={opened} desk={desk} ticketId={opened} staff={staffParts} />}
        </Card>
      </div>
    </>
  )
}

type WaitingTimesProps = { selection: Selection; opened: number | null }

/** Choosing a band shows the tickets that need a reply. */
function WaitingTimes({ selection, opened }: WaitingTimesProps) {
  const { data: counts } = useInfiniteQuery({ ...ticketsQuery({}), select: ({ pages }) => pages[0]?.ages })
  const { show: _show, age, ...others } = selection
  return (
    <AgeBands
      label="Waiting tickets by age"
      counts={counts}
      chosen={age}
      link={(band, props) => (
        <Link
          to="/admin-panal/support"
          search={{
            ...others,
            ...(band && { show: 'waiting', age: band }),
            ...(opened !== null && { ticket: opened }),
          }}
          replace
          resetScroll={false}
          {...props}
        />
      )}
    />
  )
}

const staffParts: StaffParts<StaffTicket> = {
  owner: ({ user }) => <Whose user={user} />,
  facts: ({ first_answer_seconds: seconds }) => (
    <p className="figures text-muted text-sm">
      {seconds === null ? 'No answer yet' : `First answer in ${formatSpan(seconds)}`}
    </p>
  ),
  controls: (ticket) => <AssigneeSelect ticket={ticket} />,
  replyTools: (ticket, insert) => <CannedReplies ticket={ticket} insert={insert} />,
  noteForm: ({ id }) => <NoteForm ticketId={id} />,
}

const Whose = ({ user }: { user: StaffTicket['user'] }) => (
  <UserLink user={user} className="rounded-sm font-medium text-ink underline underline-offset-4" />
)

function TicketList({ selection, opened }: { selection: Selection; opened: number | null }) {
  const query = useInfiniteQuery(ticketsQuery(selection))
  return (
    <Loaded
      query={query}
      failed="The tickets could not be loaded."
      className="m-5"
      waiting={<WaitingForTickets />}
    >
      {({ pages }) => {
        const tickets = pages.flatMap((page) => page.tickets)
        if (tickets.length === 0) return <Nothing isNarrowed={isNarrowed(selection)} />
        return (
          <>
            <ul className="divide-y">
              {tickets.map((ticket) => (
                <li key={ticket.id}>
                  <Link
                    to="/admin-panal/support"
                    search={{ ...selection, ticket: ticket.id }}
                    aria-current={ticket.id === opened || undefined}
                    className={
                      opened === null ? ticketLinkClass(false, true) : ticketLineClass(ticket.id === opened)
                    }
                  >
                    {opened === null ? <TicketOfList ticket={ticket} /> : <TicketLine ticket={ticket} />}
                  </Link>
                </li>
              ))}
            </ul>
            <MoreBelow query={query} />
          </>
        )
      }}
    </Loaded>
  )
}

const TicketOfList = ({ ticket }: { ticket: StaffTicket }) => (
  <TicketRow ticket={ticket} whose={ticket.user.username} isLine>
    {ticket.is_waiting && <Badge tone="pending">Needs reply</Badge>}
    {ticket.waiting_since !== null && (
      <Badge>
        <Hourglass aria-hidden className="size-3 shrink-0" />
        <span className="sr-only">Waiting </span>
        {formatWaited(ticket.waiting_since)}
      </Badge>
    )}
    {ticket.assignee && (
      <Badge className="min-w-0 max-w-full">
        <UserRound aria-hidden className="size-3 shrink-0" />
        <span className="sr-only">Assigned to </span>
        <span className="truncate">{ticket.assignee.username}</span>
      </Badge>
    )}
  </TicketRow>
)

const Nothing = ({ isNarrowed: isFiltered }: { isNarrowed: boolean }) => (
  <EmptyState
    icon={<MessagesSquare />}
    title={isFiltered ? 'No matching tickets' : 'No open tickets'}
    text={isFiltered ? 'Change the filters or show all tickets.' : 'Tickets from customers appear here.'}
    action={
      <Link to="/admin-panal/support" search={{ show: 'all' }} className={buttonClass({ size: 'sm' })}>
        Show all tickets
      </Link>
    }
  />
)
