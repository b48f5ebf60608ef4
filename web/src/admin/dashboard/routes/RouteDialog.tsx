import { useMutation, useQuery } from '@tanstack/react-query'
import { ROUTE_RATES_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import type { Route } from '@trunkline/contract/routes'
import { useRef, useState } from 'react'
import { ApiError, api, explain } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { focusFault } from '../../../ui/focus-fault.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { BelowCost, type Choice, type Finding } from './BelowCost.tsx'
import { plansQuery, routeQuery, routesQuery } from './queries.ts'
import { RouteFields } from './RouteFields.tsx'
import {
  blankRoute,
  changeFrom,
  changesEarnings,
  differences,
  draftOf,
  type Faults,
  faultsFrom,
  type NewRoute,
  type RouteDraft,
  readDraft,
  rebase,
} from './route-draft.ts'

const FORM = 'route-form'

type RouteDialogProps = { route: Route | null; onClose: () => void }

/** Adds a route, or changes the one it is given. */
export const RouteDialog = ({ route, onClose }: RouteDialogProps) =>
  route && isShortened(route) ? (
    <WholeRoute route={route} onClose={onClose} />
  ) : (
    <RouteForm route={route} onClose={onClose} />
  )

/** Lists hold the first rates only. Above the limit they are edited as a file, and are not needed here. */
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

/** What was typed stays until it is saved. */
function RouteForm({ route, onClose }: RouteDialogProps) {
  const plans = useQuery(plansQuery)
  const [base, setBase] = useState(route)
  const [draft, setDraft] = useState(() => (route ? draftOf(route) : blankRoute))
  const [faults, setFaults] = useState<Faults>({})
  const [theirs, setTheirs] = useState<string[]>([])
  const [finding, setFinding] = useState<Finding | null>(null)
  const [choice, setChoice] = useState<Choice | null>(null)
  const form = useRef<HTMLFormElement>(null)

  const failed = base ? messages.updateTrunkRouteFailed : messages.addTrunkRouteFailed

  const save = useMutation({
    mutationFn: (given: NewRoute) => saveRoute(base, given, choice),
    onSuccess: async (outcome) => {
      if (typeof outcome === 'object') return setFinding(outcome)
      if (outcome === 'unchanged') toast.info('Nothing was changed.')
      else await queryClient.invalidateQueries({ queryKey: routesQuery.queryKey })
      onClose()
    },
    onError: async (error) => {
      setFinding(null)
      setChoice(null)
      if (error instanceof ApiError && error.code === 'changed_meanwhile') return follow()
      if (error instanceof ApiError && error.fields.length > 0) setFaults(faultsFrom(error.fields))
      toast.error(explain(error, failed))
    },
  })

  /** Somebody else was faster: shows what they did, and keeps what was typed. */
  async function follow() {
    const latest = base && (await queryClient.fetchQuery(routeQuery(base.id)).catch(() => null))
    if (!base || !latest) return toast.error(failed)
    setTheirs(differences(base, latest))
    setDraft(rebase(draft, base, latest))
    setBase(latest)
  }

  function edit(change: Partial<RouteDraft>) {
    setDraft({ ...draft, ...change })
    setFaults({})
  }

  function submit() {
    const read = readDraft(draft)
    if ('route' in read) return save.mutate(read.route)
    setFaults(read.faults)
    focusFault(form.current, read.faults)
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={base ? 'Edit Trunk/Route' : 'Add Trunk/Route'}
      description={base ? `${base.name}, ${base.country}` : 'What customers can select for a country.'}
      footer={
        finding ? (
          <>
            <Button
              onClick={() => {
                setFinding(null)
                setChoice(null)
              }}
            >
              Back
            </Button>
            <Button
              variant={choice === 'use-anyway' ? 'danger' : 'primary'}
              disabled={choice === null}
              busy={save.isPending}
              onClick={submit}
            >
              {choice === 'use-anyway' ? 'Save and sell below cost' : 'Save'}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={FORM} variant="primary" disabled={!plans.data} busy={save.isPending}>
              {base ? 'Save Changes' : 'Add Trunk/Route'}
            </Button>
          </>
        )
      }
    >
      {theirs.length > 0 && !finding && (
        <Notice tone="pending" className="mb-4">
          <p className="font-medium">Another administrator has changed this route meanwhile.</p>
          <ul className="figures mt-1">
            {theirs.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p className="mt-1">What you typed is kept. Look at it again, then save.</p>
        </Notice>
      )}
      {finding ? (
        <BelowCost finding={finding} choice={choice} onChoose={setChoice} />
      ) : (
        <form
          id={FORM}
          ref={form}
          noValidate
          aria-label={base ? 'Edit Trunk/Route' : 'Add Trunk/Route'}
          onSubmit={(event) => {
            event.preventDefault()
            if (plans.data && !save.isPending) submit()
          }}
        >
          <RouteFields base={base} draft={draft} faults={faults} plans={plans} onEdit={edit} />
        </form>
      )}
    </Dialog>
  )
}

/** Asks first whether the price covers what the trunks cost; where it does not, nothing is saved without a choice. */
async function saveRoute(
  before: Route | null,
  given: NewRoute,
  choice: Choice | null,
): Promise<'saved' | 'unchanged' | Finding> {
  const route = choice === null ? given : { ...given, sells_below_cost: choice === 'use-anyway' }
  const change = before ? changeFrom(before, route) : null
  if (before && !change) return choice === null ? 'unchanged' : 'saved'
  if (choice === null && (!change || changesEarnings(change))) {
    const { country, planname, price, rates } = route
    const finding = await api('POST /api/routes/check', { body: { country, planname, price, rates } })
    if (finding.dearer_trunks.length > 0) return finding
  }
  if (before && change) await api('PATCH /api/routes/:id', { params: { id: before.id }, body: change })
  else await api('POST /api/routes', { body: route })
  return 'saved'
}
