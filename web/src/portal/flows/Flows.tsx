import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FlowSummary } from '@trunkline/contract/flows'
import { Workflow } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { formatCount } from '../../common/format/numbers.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { Moment } from '../../common/Moment.tsx'
import { AddButton } from '../../ui/AddButton.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { BlockTable, headCells, hidden, numeric } from '../../ui/BlockTable.tsx'
import { Button, inRowClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SkeletonTable } from '../../ui/Skeleton.tsx'
import { Td, Tr } from '../../ui/Table.tsx'
import { flowsQuery } from '../flow-queries.ts'
import { showNumber } from '../numbers/words.ts'
import { FlowsHeading } from './FlowsHeading.tsx'
import { ImportFlow } from './ImportFlow.tsx'
import { NewFlow } from './NewFlow.tsx'
import { rereadFlows } from './queries.ts'
import { stateOf } from './words.ts'

/** The customer's flows. */
export function Flows() {
  const [isCreating, setCreating] = useState(false)
  const create = (
    <AddButton variant="primary" onClick={() => setCreating(true)}>
      New flow
    </AddButton>
  )
  return (
    <>
      <FlowsHeading
        text="Decide what callers hear and where their calls go."
        actions={
          <div className="flex flex-wrap gap-2">
            <ImportFlow />
            {create}
          </div>
        }
      />
      <ListCard
        label="Flows"
        query={useQuery(flowsQuery)}
        failed="Your flows could not be loaded."
        waiting={<SkeletonTable rows={3} className="h-14" parts={['w-44', 'w-36', 'ml-auto w-24']} />}
      >
        {(flows) =>
          flows.length === 0 ? (
            <EmptyState
              icon={<Workflow />}
              title="No flows yet"
              text="A flow answers calls to your numbers: it greets callers, offers a menu, checks your opening hours, rings your phones or takes a message. You draw it here, try it without a phone, and publish it when it is ready."
              action={<Button onClick={() => setCreating(true)}>Create your first flow</Button>}
            />
          ) : (
            <FlowTable flows={flows} />
          )
        }
      </ListCard>
      {isCreating && <NewFlow onClose={() => setCreating(false)} />}
    </>
  )
}

const cellClass = 'max-md:block max-md:px-5 max-md:py-0.5'

function FlowTable({ flows }: { flows: readonly FlowSummary[] }) {
  const [deleted, setDeleted] = useState<FlowSummary | null>(null)
  return (
    <>
      <BlockTable
        caption="Flows"
        heads={headCells(
          ['Name', 'State', 'Numbers', numeric('Steps'), 'Updated', hidden('Actions')],
          'md:first:pl-5 md:last:pr-5',
        )}
      >
        {flows.map((flow) => (
          <FlowRow key={flow.id} flow={flow} onDelete={() => setDeleted(flow)} />
        ))}
      </BlockTable>
      {deleted && <DeleteFlow flow={deleted} onClose={() => setDeleted(null)} />}
    </>
  )
}

function FlowRow({ flow, onDelete }: { flow: FlowSummary; onDelete: () => void }) {
  const { tone, label } = stateOf(flow)
  return (
    <Tr className="max-md:block max-md:py-3 md:h-14">
      <Td className={`${cellClass} md:pl-5`}>
        <Link
          to="/dashboard/flows/$id"
          params={{ id: String(flow.id) }}
          className="break-words font-medium text-base underline-offset-4 hover:underline"
        >
          {flow.name}
        </Link>
      </Td>
      <Td className={cellClass}>
        <Badge tone={tone}>{label}</Badge>
      </Td>
      <Td className={`${cellClass} figures`}>
        {flow.numbers.length === 0 ? (
          <span className="text-muted">No number leads here</span>
        ) : (
          flow.numbers.map(showNumber).join(', ')
        )}
      </Td>
      <Td className={`${cellClass} figures md:text-right`}>
        {flow.step_count}
        <span className="md:sr-only"> {flow.step_count === 1 ? 'step' : 'steps'}</span>
      </Td>
      <Td className={`${cellClass} figures text-muted`}>
        <span className="md:sr-only">Updated </span>
        <Moment at={flow.updated_at} />
      </Td>
      <Td className={`${cellClass} md:pr-5 md:text-right`}>
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Delete ${flow.name}`}
          className={`${inRowClass} max-md:-ml-3`}
          onClick={onDelete}
        >
          Delete
        </Button>
      </Td>
    </Tr>
  )
}

const DeleteFlow = ({ flow, onClose }: { flow: FlowSummary; onClose: () => void }) => (
  <Confirm
    title={`Delete “${flow.name}”?`}
    text={
      flow.published_version === null
        ? 'The draft is lost.'
        : `The draft and ${formatCount(flow.published_version, 'published version', 'published versions')} are lost.`
    }
    action="Delete flow"
    failed="The flow could not be deleted."
    onConfirm={async () => {
      await api('DELETE /api/flows/:id', { params: { id: flow.id } })
      return { message: 'The flow was deleted.' }
    }}
    reread={rereadFlows}
    onClose={onClose}
  />
)
