import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import type { Plan } from '@trunkline/contract/plans'
import { useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { Failure } from '../../common/Failure.tsx'
import { formatRate } from '../../common/format/money.ts'
import { formatCount } from '../../common/format/numbers.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { PlanNameForm, PlanTrunksForm } from './PlanForms.tsx'
import { plansQuery, refreshCatalogue, routesQuery, trunksQuery } from './queries.ts'

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
        <div aria-busy="true" className="grid grid-cols-1 gap-4 lg:grid-cols-2">
          {[0, 1].map((card) => (
            <Card key={card}>
              <Skeleton className="mb-4 h-5 w-32" />
              <SkeletonRows rows={6} className="h-6" />
            </Card>
          ))}
        </div>
      ) : !plans ? (
        <Failure onRetry={() => void refetch()}>{explain(error, messages.plansFailed)}</Failure>
      ) : plans.length === 0 ? (
        <Card>
          <EmptyState title="No plans yet" text="Add a plan, assign trunks, then add routes." />
        </Card>
      ) : (
        <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2" aria-label="Plans">
          {plans.map((plan) => (
            <PlanCard key={plan.id} plan={plan} onOpen={(kind) => setOpened({ kind, plan })} />
          ))}
        </ul>
      )}
      {opened?.kind === 'name' && <PlanNameForm plan={opened.plan} onClose={close} />}
      {opened?.kind === 'trunks' && <PlanTrunksForm plan={opened.plan} onClose={close} />}
      {opened?.kind === 'delete' && <DeletePlan plan={opened.plan} onClose={close} />}
    </>
  )
}

function PlanCard({ plan, onOpen }: { plan: Plan; onOpen: (kind: 'name' | 'trunks' | 'delete') => void }) {
  const trunks = useQuery({
    ...trunksQuery,
    select: (all) => all.filter(({ id }) => plan.trunk_ids.includes(id)),
  })
  const routes = useQuery({
    ...routesQuery,
    select: (all) => all.filter(({ planname }) => planname === plan.name),
  })
  const isUsed = plan.routes + plan.trunks > 0
  return (
    <li className="card flex flex-col" aria-label={plan.name}>
      <h2 className="break-words font-semibold text-lg tracking-tight">{plan.name}</h2>
      <p className="engraved mt-3 mb-1.5 text-muted">{formatCount(plan.trunks, 'trunk')}</p>
      <div className="flex flex-wrap gap-1">
        {trunks.isPending && plan.trunks > 0 && <Skeleton className="h-5.5 w-40" />}
        {trunks.data?.map(({ id, name, configured_status }) => (
          <Badge key={id}>{configured_status === 'inactive' ? `${name} (inactive)` : name}</Badge>
        ))}
        {plan.trunks === 0 && <span className="text-muted text-sm">No trunks. Calls are refused.</span>}
      </div>
      <p className="engraved mt-3 mb-1.5 text-muted">{formatCount(plan.routes, 'route')}</p>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`Routes of ${plan.name}`}
        className="mb-4 max-h-64 overflow-y-auto rounded-sm text-sm"
      >
        {routes.isPending && (
          <li>
            <SkeletonRows rows={Math.min(plan.routes, 10)} className="h-6" />
          </li>
        )}
        {routes.data?.map(({ id, name, country, price, is_premium }) => (
          <li key={id} className="flex items-baseline justify-between gap-4 py-0.5">
            <span className="min-w-0 truncate">
              {name} <span className="text-muted">{country}</span>
              {is_premium && <span className="text-muted">, premium</span>}
            </span>
            <span className="figures shrink-0 text-muted">{formatRate(price)}</span>
          </li>
        ))}
        {plan.routes === 0 && <li className="text-muted">No routes.</li>}
      </ul>
      <div className="mt-auto flex flex-wrap gap-2 border-t pt-4">
        <Button size="sm" onClick={() => onOpen('trunks')} aria-label={`Trunks of ${plan.name}`}>
          Trunks
        </Button>
        <Button size="sm" onClick={() => onOpen('name')} aria-label={`Rename ${plan.name}`}>
          Rename
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="ml-auto"
          disabled={isUsed}
          title={isUsed ? 'In use by routes or trunks' : undefined}
          onClick={() => onOpen('delete')}
          aria-label={`Delete ${plan.name}`}
        >
          Delete
        </Button>
      </div>
    </li>
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
