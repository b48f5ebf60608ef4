import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { QueueView, WaitingView } from '@trunkline/contract/flows'
import { Users } from 'lucide-react'
import { formatCaller } from '../../../common/calls/call-look.ts'
import { useSecond } from '../../../common/calls/use-second.ts'
import { formatTime } from '../../../common/format/dates.ts'
import { formatDuration } from '../../../common/format/durations.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { buttonClass } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { SkeletonCard } from '../../../ui/SkeletonCard.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../../ui/Table.tsx'
import { FlowsHeading } from '../FlowsHeading.tsx'
import { queuesQuery } from '../queries.ts'

/** Callers who wait, live. */
export function Queues() {
  const query = useQuery(queuesQuery)
  return (
    <>
      <FlowsHeading text="Callers who are waiting right now." />
      {query.isError && query.data && (
        <Notice tone="pending" className="mb-4">
          This list is not being updated. Trying again…
        </Notice>
      )}
      <Loaded
        query={query}
        failed="Your queues could not be loaded."
        waiting={<SkeletonCard rows={4} className="h-10" />}
      >
        {(queues) =>
          queues.length === 0 ? (
            <Card>
              <EmptyState
                icon={<Users />}
                title="No queues yet"
                text="Add a queue to a flow and publish it. Callers then wait with music until you are free."
                action={
                  <Link to="/dashboard/flows" className={buttonClass()}>
                    Open your flows
                  </Link>
                }
              />
            </Card>
          ) : (
            <div className="flex flex-col gap-4">
              {queues.map((queue) => (
                <QueueCard
                  key={`${queue.flow_id} ${queue.step_id}`}
                  queue={queue}
                  readAt={query.dataUpdatedAt}
                />
              ))}
            </div>
          )
        }
      </Loaded>
    </>
  )
}

const titleOf = ({ step_name }: QueueView): string => step_name.trim() || 'Queue'

function QueueCard({ queue, readAt }: { queue: QueueView; readAt: number }) {
  const { flow_id, flow_name, waiting } = queue
  const title = titleOf(queue)
  return (
    <Card aria-label={`${title} in ${flow_name}`} className="p-0">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-4">
        <h3 className="break-words font-semibold">{title}</h3>
        <Badge tone={waiting.length > 0 ? 'signal' : 'neutral'}>{waiting.length} waiting</Badge>
        <Link
          to="/dashboard/flows/$id"
          params={{ id: String(flow_id) }}
          className="text-muted text-sm underline underline-offset-4 hover:text-ink sm:ml-auto"
        >
          {flow_name}
        </Link>
      </header>
      {waiting.length === 0 ? (
        <p className="border-t px-5 py-4 text-muted text-sm">Nobody is waiting.</p>
      ) : (
        <Table className="border-t">
          <caption className="sr-only">Callers in {title}</caption>
          <THead>
            <Tr>
              <Th numeric className="w-px pl-5">
                Position
              </Th>
              <Th>Caller</Th>
              <Th className="max-sm:hidden">Since</Th>
              <Th numeric className="pr-5">
                Waiting
              </Th>
            </Tr>
          </THead>
          <TBody>
            {waiting.map((caller, at) => (
              <WaitingRow
                key={`${caller.entered_at} ${caller.caller}`}
                caller={caller}
                position={at + 1}
                readAt={readAt}
              />
            ))}
          </TBody>
        </Table>
      )}
    </Card>
  )
}

type WaitingRowProps = { caller: WaitingView; position: number; readAt: number }

function WaitingRow({ caller: { caller, caller_name, ...wait }, position, readAt }: WaitingRowProps) {
  const sinceRead = Math.max(0, Math.floor((useSecond() - readAt) / 1_000))
  return (
    <Tr className="h-12">
      <Td numeric className="pl-5 font-medium">
        {position}
      </Td>
      <Td>
        <span className="figures whitespace-nowrap font-medium">{formatCaller(caller)}</span>
        {caller_name !== '' && <span className="block break-words text-muted text-sm">{caller_name}</span>}
      </Td>
      <Td className="figures text-muted max-sm:hidden">
        <time dateTime={wait.entered_at}>{formatTime(wait.entered_at)}</time>
      </Td>
      <Td numeric className="pr-5">
        {formatDuration(wait.waited_seconds + sinceRead)}
      </Td>
    </Tr>
  )
}
