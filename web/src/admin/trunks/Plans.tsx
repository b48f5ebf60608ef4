import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import type { Plan } from '@trunkline/contract/plans'
import { useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { Failure } from '../../common/Failure.tsx'
import { AddButton } from '../../ui/AddButton.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadingRows } from './OpeningRow.tsx'
import { PlanNameForm, PlanTrunksForm } from './PlanForms.tsx'
import { PlanHeads, PlanRow } from './PlanRow.tsx'
import { plansQuery, refreshCatalogue } from './queries.ts'

type Opened = { kind: 'name'; plan: Plan | null } | { kind: 'trunks' | 'delete'; plan: Plan } | null

export function Plans() {
  const { data: plans, error, isPending, refetch } = useQuery(plansQuery)
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="text-muted text-sm">
          Each route belongs to a plan. The trunks of the plan carry its calls.
        </p>
        <AddButton
          variant="primary"
          className="ml-auto max-sm:w-full"
          onClick={() => setOpened({ kind: 'name', plan: null })}
        >
          Add plan
        </AddButton>
      </div>
      {isPending ? (
        <LoadingRows rows={4} parts={['w-32', 'w-56 max-md:hidden', 'ml-auto w-40']} />
      ) : !plans ? (
        <Failure onRetry={() => void refetch()}>{explain(error, messages.plansFailed)}</Failure>
      ) : plans.length === 0 ? (
        <Card>
          <EmptyState title="No plans yet" text="Add a plan, assign trunks, then add routes." />
        </Card>
      ) : (
        <Card className="overflow-hidden p-0">
          <PlanHeads />
          <ul className="divide-y" aria-label="Plans">
            {plans.map((plan) => (
              <PlanRow
                key={plan.id}
                plan={plan}
                isOnly={plans.length === 1}
                onOpen={(kind) => setOpened({ kind, plan })}
              />
            ))}
          </ul>
        </Card>
      )}
      {opened?.kind === 'name' && <PlanNameForm plan={opened.plan} onClose={close} />}
      {opened?.kind === 'trunks' && <PlanTrunksForm plan={opened.plan} onClose={close} />}
      {opened?.kind === 'delete' && <DeletePlan plan={opened.plan} onClose={close} />}
    </>
  )
}

const DeletePlan = ({ plan, onClose }: { plan: Plan; onClose: () => void }) => (
  <Confirm
    title={`Delete ${plan.name}?`}
    action="Delete plan"
    failed="The plan could not be deleted."
    onConfirm={() => api('DELETE /api/plans/:id', { params: { id: plan.id } })}
    reread={refreshCatalogue}
    onClose={onClose}
  >
    <p>No routes or trunks use this plan.</p>
  </Confirm>
)
