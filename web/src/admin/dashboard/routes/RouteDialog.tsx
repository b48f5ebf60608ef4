import { useQuery } from '@tanstack/react-query'
import { ROUTE_RATES_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import type { Route } from '@trunkline/contract/routes'
import { useState } from 'react'
import { api } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { ConflictNotice } from '../../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../../common/forms/use-edit-form.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { useMounted } from '../../../common/use-mounted.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { toast } from '../../../ui/toast.ts'
import { BelowCost, type Choice, type Finding } from './BelowCost.tsx'
import { plansQuery, routeQuery, routesQuery } from './queries.ts'
import { RouteFields } from './RouteFields.tsx'
import {
  blankRoute,
  changeFrom,
  changesEarnings,
  draftOf,
  type NewRoute,
  type RateField,
  type RouteDraft,
  readDraft,
  routeLabels,
  shownField,
} from './route-draft.ts'

const FORM = 'route-form'

type RouteDialogProps = { route: Route | null; onClose: () => void }

/** Adds a route, or changes one. */
export const RouteDialog = ({ route, onClose }: RouteDialogProps) =>
  route && isShortened(route) ? (
    <WholeRoute route={route} onClose={onClose} />
  ) : (
    <RouteForm route={route} onClose={onClose} />
  )

/** The list has only the first rates. Longer lists than the limit are edited as a file. */
const isShortened = ({ rates, rate_count }: Route): boolean =>
  rate_count > rates.length && rate_count <= ROUTE_RATES_MAX

function WholeRoute({ route: { id, name, country }, onClose }: { route: Route; onClose: () => void }) {
  const whole = useQuery({ ...routeQuery(id), refetchOnWindowFocus: false })
  if (whole.data) return <RouteForm route={whole.data} onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} title="Edit Trunk/Route" description={`${name}, ${country}`}>
      <Loaded query={whole} failed={messages.routesFailed}>
        {() => null}
      </Loaded>
    </Dialog>
  )
}

function RouteForm({ route, onClose }: RouteDialogProps) {
  const plans = useQuery(plansQuery)
  const hasPlans = plans.isFetchedAfterMount && !plans.isError
  const [finding, setFinding] = useState<Finding | null>(null)
  const [choice, setChoice] = useState<Choice | null>(null)
  const isMounted = useMounted()

  function closeFinding() {
    setFinding(null)
    setChoice(null)
  }

  const form = useEditForm<Route | null, RouteDraft, RateField>({
    opened: route,
    toValues: (read) => (read ? draftOf(read) : blankRoute),
    labels: routeLabels,
    show: shownField,
    validate: (draft) => readDraft(draft).errors,
    submit: async (draft, base) => {
      try {
        const outcome = await saveRoute(base, readDraft(draft).route, choice)
        if (typeof outcome === 'object') return setFinding(outcome)
        if (outcome === 'unchanged') toast.info(messages.noChanges)
        else void queryClient.invalidateQueries({ queryKey: routesQuery.queryKey })
        if (isMounted.current) onClose()
      } catch (error) {
        closeFinding()
        throw error
      }
    },
    reload: async (base) => (base ? queryClient.fetchQuery(routeQuery(base.id)) : base),
    failed: route ? messages.updateTrunkRouteFailed : messages.addTrunkRouteFailed,
    onFailure: toast.error,
  })
  const { base } = form

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={base ? 'Edit Trunk/Route' : 'Add Trunk/Route'}
      description={base ? `${base.name}, ${base.country}` : 'What customers can select for a country.'}
      isBusy={form.isBusy}
      footer={
        finding ? (
          <>
            <Button disabled={form.isBusy} onClick={closeFinding}>
              Back
            </Button>
            <Button
              variant={choice === 'use-anyway' ? 'danger' : 'primary'}
              disabled={choice === null}
              busy={form.isBusy}
              onClick={form.submit}
            >
              {choice === 'use-anyway' ? 'Save and sell below cost' : 'Save'}
            </Button>
          </>
        ) : (
          <>
            <Button disabled={form.isBusy} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" form={FORM} variant="primary" disabled={!hasPlans} busy={form.isBusy}>
              {base ? 'Save Changes' : 'Add Trunk/Route'}
            </Button>
          </>
        )
      }
    >
      {finding ? (
        <BelowCost finding={finding} choice={choice} onChoose={setChoice} />
      ) : (
        <Form form={form} id={FORM} label={base ? 'Edit Trunk/Route' : 'Add Trunk/Route'}>
          <ConflictNotice form={form} />
          <RouteFields form={form} plans={plans} hasPlans={hasPlans} />
        </Form>
      )}
    </Dialog>
  )
}

/** Checks whether the price covers the cost of the trunks. If not, it saves only after a choice. */
async function saveRoute(
  before: Route | null,
  given: NewRoute,
  choice: Choice | null,
): Promise<'saved' | 'unchanged' | Finding> {
  const route = choice === null ? given : { ...given, sells_below_cost: choice === 'use-anyway' }
  const change = before ? changeFrom(before, route) : null
  if (before && !change) return choice === null ? 'unchanged' : 'saved'
  if (choice === null && (!change || changesEarnings(change))) {
    const { name: _name, is_premium: _premium, sells_below_cost: _allowed, ...priced } = route
    const finding = await api('POST /api/routes/check', { body: priced })
    if (finding.dearer_trunks.length > 0) return finding
  }
  if (before && change) await api('PATCH /api/routes/:id', { params: { id: before.id }, body: change })
  else await api('POST /api/routes', { body: route })
  return 'saved'
}
