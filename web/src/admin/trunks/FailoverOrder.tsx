import { useMutation, useQuery } from '@tanstack/react-query'
import type { Route } from '@trunkline/contract/routes'
import type { Trunk } from '@trunkline/contract/trunks'
import { countryName } from '@trunkline/domain/countries'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { api, explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { formatRate } from '../../common/format/money.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, inRowClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Field } from '../../ui/Field.tsx'
import { Lamp } from '../../ui/Lamp.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { plansQuery, refreshCatalogue, routesQuery, trunksQuery } from './queries.ts'
import { inOrder, serves, stateOf } from './trunk-words.ts'

type FailoverOrderProps = {
  plan: string | null
  country: string | null
  onChoose: (choice: { plan?: string; country?: string }) => void
}

export function FailoverOrder({ plan: wantedPlan, country: wantedCountry, onChoose }: FailoverOrderProps) {
  const trunks = useQuery(trunksQuery)
  const plans = useQuery(plansQuery)
  const routes = useQuery(routesQuery)
  const error = trunks.error ?? plans.error ?? routes.error
  const isLoaded = trunks.data && plans.data && routes.data
  const plan = plans.data?.find(({ name }) => name === wantedPlan)?.name ?? plans.data?.[0]?.name ?? ''
  const countries = routes.data && trunks.data ? countriesOf(plan, routes.data, trunks.data) : []
  const country = countries.find((code) => code === wantedCountry) ?? countries[0] ?? ''
  const serving = (trunks.data ?? []).filter((trunk) => serves(trunk, plan, country)).sort(inOrder)
  return (
    <Card aria-label="Failover order" className="lg:px-4 lg:py-3">
      <div className="mb-4 grid gap-x-4 gap-y-3 sm:max-lg:grid-cols-2 lg:mb-2 lg:flex lg:items-center lg:gap-x-6">
        <h2 className="font-semibold text-lg tracking-tight sm:max-lg:col-span-2">Failover order</h2>
        {isLoaded && (
          <>
            <Field label="Plan" isLine>
              <Select
                className="lg:w-56"
                value={plan}
                onChange={(event) => onChoose({ plan: event.target.value })}
              >
                <Options of={plans.data.map(({ name }) => [name, name])} />
              </Select>
            </Field>
            <Field label="Country" isLine>
              <Select
                className="lg:w-56"
                value={country}
                onChange={(event) => onChoose({ country: event.target.value })}
              >
                <Options of={countries.map((code) => [code, countryName(code)])} />
              </Select>
            </Field>
          </>
        )}
      </div>
      {!isLoaded ? (
        error ? (
          <Failure onRetry={() => void Promise.all([trunks.refetch(), plans.refetch(), routes.refetch()])}>
            {explain(error, 'The failover order could not be loaded.')}
          </Failure>
        ) : (
          <div aria-busy="true">
            <SkeletonRows rows={5} />
          </div>
        )
      ) : (
        <>
          {serving.length === 0 ? (
            <EmptyState
              title="No trunks for this plan and country"
              text="Calls of this plan to this country are refused. Add the plan to a carrier, or add a carrier."
            />
          ) : (
            <Order trunks={serving} />
          )}
          <p className="mt-4 text-muted text-sm lg:mt-2">
            Primary trunks are tried first, then trunks by priority (lowest number first), then by buy rate. A
            trunk has one priority for all plans and countries, so moving it here changes its position
            everywhere.
          </p>
        </>
      )}
    </Card>
  )
}

/** Countries with a route of the plan or a trunk that serves it there. */
function countriesOf(plan: string, routes: readonly Route[], trunks: readonly Trunk[]): string[] {
  const sold = routes.filter(({ planname }) => planname === plan).map(({ country_code }) => country_code)
  const served = trunks.flatMap(
    ({ plans = [], country_code }) => (plans.includes(plan) && country_code) || [],
  )
  return [...new Set([...sold, ...served])].sort((left, right) =>
    countryName(left).localeCompare(countryName(right)),
  )
}

function Order({ trunks }: { trunks: readonly Trunk[] }) {
  const order = useMutation({
    mutationFn: ({ wanted }: { wanted: readonly Trunk[]; outcome: string }) =>
      api('PUT /api/trunks/order', {
        body: { trunks: wanted.map(({ id, version = 0 }) => ({ id, version })) },
      }),
    onSuccess: (_done, { outcome }) => toast.success(outcome),
    onError: (error) => toast.error(explain(error, 'The failover order could not be changed.')),
    onSettled: refreshCatalogue,
  })
  /** Only trunks that are not primary can be moved. */
  const rest = trunks.filter(({ isPrimary }) => !isPrimary)
  const swap = (trunk: Trunk, by: -1 | 1) => {
    const at = rest.indexOf(trunk)
    const other = rest[at + by]
    if (!other) return
    order.mutate({
      wanted: rest.map((each) => (each === trunk ? other : each === other ? trunk : each)),
      outcome: `${trunk.name} is now tried ${by < 0 ? 'before' : 'after'} ${other.name}.`,
    })
  }
  return (
    <ol className="divide-y border-y" aria-label="Trunks in the order they are tried">
      {trunks.map((trunk, at) => {
        const state = stateOf(trunk)
        const place = rest.indexOf(trunk)
        return (
          <li
            key={trunk.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 lg:h-9 lg:flex-nowrap lg:py-0 lg:text-sm"
          >
            <span className="figures w-6 text-right text-muted">{at + 1}</span>
            <Lamp lit={state.lamp} label="" />
            <span className="min-w-0 break-words font-medium lg:truncate">{trunk.name}</span>
            {trunk.isPrimary && <Badge tone="signal">Primary</Badge>}
            {state.word !== 'Up' && state.word !== 'Active' && <Badge>{state.word}</Badge>}
            <span className="figures ml-auto shrink-0 text-muted text-sm">
              {formatRate(trunk.buy_rate)} · priority {trunk.priority}
            </span>
            <span className="flex gap-1">
              <Button
                size="sm"
                className={inRowClass}
                aria-label={`Try ${trunk.name} earlier`}
                disabled={place <= 0 || order.isPending}
                onClick={() => swap(trunk, -1)}
              >
                <ArrowUp aria-hidden />
              </Button>
              <Button
                size="sm"
                className={inRowClass}
                aria-label={`Try ${trunk.name} later`}
                disabled={place < 0 || place === rest.length - 1 || order.isPending}
                onClick={() => swap(trunk, 1)}
              >
                <ArrowDown aria-hidden />
              </Button>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
