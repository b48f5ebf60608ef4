import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FlowDetail } from '@trunkline/contract/flows'
import { Users } from 'lucide-react'
import { Badge } from '../../../ui/Badge.tsx'
import { queuesQuery } from '../queries.ts'

/** How many callers wait in the queues of a flow. Nothing if it has none. */
export function WaitingLink({ flow: { id, draft } }: { flow: FlowDetail }) {
  const { data: queues = [] } = useQuery({
    ...queuesQuery,
    enabled: draft.steps.some(({ kind }) => kind === 'queue'),
  })
  const own = queues.filter(({ flow_id }) => flow_id === id)
  if (own.length === 0) return null
  const count = own.reduce((sum, { waiting }) => sum + waiting.length, 0)
  return (
    <Link to="/dashboard/flows/queues" className="inline-flex rounded-sm underline-offset-2 hover:underline">
      <Badge tone={count > 0 ? 'signal' : 'neutral'}>
        <Users aria-hidden className="size-3" />
        {count === 0 ? 'Nobody waiting' : `${count} waiting`}
      </Badge>
    </Link>
  )
}
