import { useQuery } from '@tanstack/react-query'
import type { NumberTrial, TriedRoute } from '@trunkline/contract/number-trials'
import { switchLabel } from '@trunkline/contract/switch-names'
import { useState } from 'react'
import { formatDateTime } from '../../common/format/dates.ts'
import { formatExactMoney, formatRate } from '../../common/format/money.ts'
import { formatCount, formatPercent, formatShortPercent } from '../../common/format/numbers.ts'
import { HomeCountrySelect } from '../../common/HomeCountrySelect.tsx'
import { Loaded } from '../../common/Loaded.tsx'
import { NumberForm } from '../../common/NumberForm.tsx'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { billingTerms } from '../../common/prices.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { trialQuery } from './queries.ts'

type TryNumberProps = { number: string; home: string; onTry: (number: string, home: string) => void }

export function TryNumber({ number, home, onTry }: TryNumberProps) {
  const [chosenHome, setChosenHome] = useState(home)
  const query = useQuery(trialQuery(number, home))
  const { isFetching, refetch } = query
  return (
    <Card aria-label="Try a number" className="lg:px-4 lg:py-2">
      <NumberForm
        isLine
        label="Try a number"
        action="Trace route"
        start={number}
        onAsk={(asked) => {
          if (asked === number && chosenHome === home) void refetch()
          else onTry(asked, chosenHome)
        }}
      >
        <Field label="Home country of the caller" isLine className="w-full sm:w-64 lg:w-auto">
          <HomeCountrySelect value={chosenHome} onChange={(event) => setChosenHome(event.target.value)} />
        </Field>
      </NumberForm>
      {number !== '' && (
        <div className="mt-5 border-t pt-4 lg:mt-3" aria-live="polite" aria-busy={isFetching}>
          <Loaded
            query={query}
            failed="The route could not be traced."
            waiting={<Skeleton className="h-20" />}
          >
            {(trial) => <Trial trial={trial} />}
          </Loaded>
        </div>
      )}
    </Card>
  )
}

function Trial({ trial }: { trial: NumberTrial }) {
  if (trial.number === null)
    return (
      <Notice tone="info">
        This number is not valid. Numbers without a country code need a home country.
      </Notice>
    )
  return (
    <>
      <p className="mb-4 flex flex-wrap items-baseline gap-x-2.5">
        <span className="figures font-semibold text-lg tracking-tight">
          <PhoneNumber of={`+${trial.number}`} />
        </span>
        <span className="text-muted text-sm">
          {[trial.country, trial.line_type?.replaceAll('_', ' ')].filter(Boolean).join(', ')}
        </span>
      </p>
      {trial.routes.length === 0 ? (
        <Notice tone="pending">
          There is no route to {trial.country}. Customers cannot call this number.
        </Notice>
      ) : (
        <ul className="grid gap-4 lg:grid-cols-2" aria-label="Routes to this number">
          {trial.routes.map((route) => (
            <TracedRoute key={route.id} route={route} />
          ))}
        </ul>
      )}
    </>
  )
}

const reasons: Record<TriedRoute['left_out'][number]['reason'], string> = {
  other_plan: 'does not serve the plan',
  other_country: 'serves another country',
  inactive: 'is inactive',
  below_cost: 'costs more than the price of the route',
  full: 'is full',
  down: 'does not answer',
}

const ruleOrders: Record<NonNullable<TriedRoute['rule']>['mode'], string> = {
  order: 'fixed order',
  cost: 'least cost first',
  share: 'shares, then least cost. The first trunk changes from call to call.',
}

const buyRateText = (rate: TriedRoute['trunks'][number]['buy_rate']): string =>
  [formatExactMoney(rate.price), billingTerms(rate)].filter(Boolean).join(', ')

/** Trunks of other plans or countries are only counted. */
const isUnrelated = ({ reason }: TriedRoute['left_out'][number]) =>
  reason === 'other_plan' || reason === 'other_country'

function TracedRoute({ route }: { route: TriedRoute }) {
  const related = route.left_out.filter((trunk) => !isUnrelated(trunk))
  const unrelated = route.left_out.length - related.length
  return (
    <li className="rounded-md border p-4">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="font-medium">{route.name}</span>
        <Badge>{route.planname}</Badge>
        {route.is_premium && <Badge tone="pending">Premium</Badge>}
        <span className="figures ml-auto text-sm">
          {formatRate(route.price)}
          {route.prefix !== null && <span className="text-muted"> for +{route.prefix}</span>}
        </span>
      </p>
      {route.rule && (
        <p className="mt-2 text-muted text-sm">
          Routing rule for {route.rule.country_code === null ? 'all countries' : 'this country'}:{' '}
          {ruleOrders[route.rule.mode]}
        </p>
      )}
      {route.trunks.length === 0 ? (
        <Notice tone="danger" className="mt-3">
          No trunk can carry this call. It is refused.
        </Notice>
      ) : (
        <ol className="mt-3 flex flex-col gap-2" aria-label={`Trunks of ${route.name} in order`}>
          {route.trunks.map((trunk, at) => (
            <li key={trunk.id} className="flex flex-wrap items-baseline gap-x-2.5 text-sm">
              <span className="figures w-4 text-right text-muted">{at + 1}</span>
              <span className="font-medium">{trunk.name}</span>
              {trunk.is_primary && <Badge tone="signal">Primary</Badge>}
              {trunk.share !== null && <Badge>First for {formatShortPercent(trunk.share)} of calls</Badge>}
              {trunk.demoted && <Badge tone="pending">Tried last</Badge>}
              {trunk.down_on.length > 0 && (
                <Badge tone="pending">Down on {trunk.down_on.map(switchLabel).join(', ')}</Badge>
              )}
              <span className="figures text-muted">
                costs {buyRateText(trunk.buy_rate)}, {trunk.used} of {trunk.capacity} in use
              </span>
              <span className="ml-auto font-mono text-muted text-xs">{trunk.number}</span>
              {trunk.demoted && (
                <span className="figures w-full pl-6.5 text-muted">
                  ASR of {formatPercent(trunk.demoted.asr)} since {formatDateTime(trunk.demoted.since)}.
                  Returns at {formatDateTime(trunk.demoted.returns_at)}.
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
      {(related.length > 0 || unrelated > 0) && (
        <ul className="figures mt-3 border-t pt-3 text-muted text-sm" aria-label={`Skipped on ${route.name}`}>
          {related.map((trunk) => (
            <li key={trunk.id}>
              {trunk.name} {reasons[trunk.reason]}
              {trunk.reason === 'below_cost' && ` (${buyRateText(trunk.buy_rate)})`}
            </li>
          ))}
          {unrelated > 0 && (
            <li>
              {formatCount(unrelated, 'other trunk serves', 'other trunks serve')} another plan or country
            </li>
          )}
        </ul>
      )}
    </li>
  )
}
