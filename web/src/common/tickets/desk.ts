import { queryOptions, useMutation } from '@tanstack/react-query'
import type {
  Ticket,
  TicketMessage,
  TicketNote,
  TicketPriority,
  TicketStatus,
} from '@trunkline/contract/tickets'
import { explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../ui/toast.ts'

/** Poll interval while the page is visible. */
export const LOOK_MS = 4_000

/** Only the staff gets notes. */
type Thread<T extends Ticket> = { ticket: T; messages: TicketMessage[]; notes?: TicketNote[] }
type Change = { status?: TicketStatus; priority?: TicketPriority }

type Calls<T extends Ticket> = {
  /** Prefix of the query keys: `[side, 'list', …]`, `[side, 'thread', id]`. */
  side: readonly string[]
  read(id: number, signal: AbortSignal): Promise<Thread<T>>
  reply(id: number, message: string): Promise<Thread<T>>
  change(id: number, change: Change): Promise<{ ticket: T }>
  markRead(id: number): Promise<unknown>
}

export type TicketDesk<T extends Ticket = Ticket> = ReturnType<typeof createTicketDesk<T>>

/** Queries and mutations of tickets. Customers and administrators use different endpoints. */
export function createTicketDesk<T extends Ticket>({ side, read, reply, change, markRead }: Calls<T>) {
  const threadQuery = (id: number) =>
    queryOptions({
      queryKey: [...side, 'thread', id],
      queryFn: ({ signal }) => read(id, signal),
      refetchInterval: LOOK_MS,
      refetchOnWindowFocus: 'always',
    })

  const rereadLists = () => queryClient.invalidateQueries({ queryKey: [...side, 'list'] })

  /** Cancels running refetches, which would overwrite the new state. */
  async function keep(id: number, next: (thread: Thread<T>) => Thread<T>): Promise<void> {
    const { queryKey } = threadQuery(id)
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, (now) => now && next(now))
    void rereadLists()
  }

  return {
    threadQuery,
    rereadLists,
    keep,

    async reply(id: number, message: string): Promise<void> {
      try {
        const thread = await reply(id, message)
        await keep(id, () => thread)
      } catch (error) {
        // Someone may have closed the ticket.
        void queryClient.invalidateQueries({ queryKey: threadQuery(id).queryKey })
        throw error
      }
    },

    useChange: (id: number) =>
      useMutation({
        mutationFn: (wanted: Change) => change(id, wanted),
        onSuccess: ({ ticket }) => keep(id, (thread) => ({ ...thread, ticket })),
        onError: (error) => toast.error(explain(error, 'The ticket could not be changed. Please try again.')),
      }),

    /** Marks the thread as read. The next poll retries a failure. */
    async markRead(id: number): Promise<void> {
      await markRead(id)
      await keep(id, (thread) => ({ ...thread, ticket: { ...thread.ticket, unread: 0 } }))
    },
  }
}
