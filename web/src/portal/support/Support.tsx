import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Ticket } from '@trunkline/contract/tickets'
import { ArrowLeft, MessagesSquare, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { ScreenTitle } from '../../common/ScreenTitle.tsx'
import { ShowMore } from '../../common/ShowMore.tsx'
import { Thread } from '../../common/tickets/Thread.tsx'
import { WaitingForTickets } from '../../common/tickets/TicketRow.tsx'
import { useFocusOf } from '../../common/tickets/use-focus-of.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Contacts } from './Contacts.tsx'
import { NewTicket } from './NewTicket.tsx'
import { desk, ticketsQuery } from './queries.ts'
import { type Opened, openedIn } from './search.ts'
import { TicketList } from './TicketList.tsx'

export function Support() {
  const opened = useSearch({ strict: false, select: (search) => openedIn(search) })
  const query = useInfiniteQuery(ticketsQuery)
  const tickets = query.data?.pages.flatMap((page) => page.tickets)
  const isEmpty = tickets?.length === 0 && opened === null
  const { list, detail } = useFocusOf(opened)
  return (
    <>
      {/* A phone shows either the contacts and the list, or the open ticket. */}
      <div className={cx('mb-4', opened !== null && 'max-lg:hidden')}>
        <ScreenTitle title="Support Center" text="Get help with your VoIP services" />
        <Contacts />
      </div>
      {isEmpty ? (
        <Card aria-label="Tickets">
          <EmptyState
            icon={<MessagesSquare />}
            title="No tickets yet"
            text="Describe the problem and we’ll reply here."
            action={<OpenTicket variant="primary" />}
          />
        </Card>
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
          <Card
            ref={list}
            tabIndex={-1}
            aria-label="Tickets"
            aria-busy={query.isPending}
            className={cx('px-0 pb-0 outline-none', opened !== null && 'max-lg:hidden')}
          >
            <div className="px-5">
              <CardHeader title="Tickets" action={<OpenTicket />} />
              {query.isLoadingError && (
                <div className="pb-5">
                  <Failure onRetry={() => void query.refetch()}>
                    {explain(query.error, 'Your tickets could not be loaded.')}
                  </Failure>
                </div>
              )}
            </div>
            {query.isPending && (
              <div className="border-t">
                <WaitingForTickets />
              </div>
            )}
            {tickets && (
              <Listed tickets={tickets} opened={opened}>
                <ShowMore query={query} size="sm" />
              </Listed>
            )}
          </Card>
          <Card
            ref={detail}
            tabIndex={-1}
            aria-label="Ticket"
            hidden={query.isLoadingError && opened === null}
            className={cx('outline-none sm:p-6', opened === null && 'max-lg:hidden')}
          >
            <Link
              to="/dashboard/support"
              className={cx(buttonClass({ variant: 'ghost', size: 'sm' }), '-ml-2 mb-3 lg:hidden')}
            >
              <ArrowLeft aria-hidden />
              All tickets
            </Link>
            <Detail opened={opened} isListed={tickets !== undefined} />
          </Card>
        </div>
      )}
    </>
  )
}

type ListedProps = { tickets: readonly Ticket[]; opened: Opened; children: ReactNode }

const Listed = ({ tickets, opened, children }: ListedProps) => (
  <div className="border-t">
    {tickets.length === 0 ? (
      <p className="px-5 py-4 text-muted text-sm">No tickets yet.</p>
    ) : (
      <TicketList tickets={tickets} opened={opened === 'new' ? null : opened} />
    )}
    <div className="px-5 py-3 empty:hidden">{children}</div>
  </div>
)

function Detail({ opened, isListed }: { opened: Opened; isListed: boolean }) {
  if (opened === 'new')
    return (
      <>
        <h2 className="mb-4 font-semibold text-lg tracking-tight">Open a ticket</h2>
        <NewTicket />
      </>
    )
  if (opened !== null) return <Thread key={opened} desk={desk} ticketId={opened} />
  if (!isListed) return <div className="h-42" />
  return (
    <EmptyState icon={<MessagesSquare />} title="Select a ticket" text="New replies appear automatically." />
  )
}

const OpenTicket = ({ variant = 'secondary' }: { variant?: 'primary' | 'secondary' }) => (
  <Link
    to="/dashboard/support"
    search={{ ticket: 'new' }}
    className={buttonClass({ variant, size: variant === 'primary' ? 'md' : 'sm' })}
  >
    <Plus aria-hidden />
    Open a ticket
  </Link>
)
