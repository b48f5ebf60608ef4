import { useQuery } from '@tanstack/react-query'
import type { StaffTicket } from '@trunkline/contract/tickets'
import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../common/Loaded.tsx'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { CannedRepliesDialog } from './CannedRepliesDialog.tsx'
import { fillIn } from './fill-in.ts'
import { cannedRepliesQuery } from './queries.ts'

type CannedRepliesProps = { ticket: StaffTicket; insert: (text: string) => void }

/** One button per canned reply, which inserts it into the reply. */
export function CannedReplies({ ticket, insert }: CannedRepliesProps) {
  const query = useQuery(cannedRepliesQuery)
  const [isManaging, setManaging] = useState(false)
  return (
    <>
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="sr-only">Canned replies</legend>
        <div className="flex items-center justify-between gap-3">
          <span aria-hidden className="font-medium text-sm">
            Canned replies
          </span>
          <Button variant="ghost" size="sm" className="-mr-3" onClick={() => setManaging(true)}>
            <Settings2 aria-hidden />
            Manage<span className="sr-only"> canned replies</span>
          </Button>
        </div>
        <Loaded
          query={query}
          failed="The canned replies could not be loaded."
          waiting={<Skeleton className="h-8 w-48" />}
        >
          {({ replies }) =>
            replies.length === 0 ? (
              <p className="text-muted text-sm">Save texts that you send often, and insert them here.</p>
            ) : (
              <div className="flex max-h-28 flex-wrap gap-1.5 overflow-y-auto p-0.5 -m-0.5">
                {replies.map(({ id, name, text }) => (
                  <Button
                    key={id}
                    size="sm"
                    className="min-w-0 max-w-full"
                    title={text}
                    onClick={() => insert(fillIn(text, ticket.user))}
                  >
                    <span className="sr-only">Insert </span>
                    <span className="truncate">{name}</span>
                  </Button>
                ))}
              </div>
            )
          }
        </Loaded>
      </fieldset>
      {isManaging && <CannedRepliesDialog onClose={() => setManaging(false)} />}
    </>
  )
}
