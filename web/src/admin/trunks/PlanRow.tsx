import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import type { Plan } from '@trunkline/contract/plans'
import type { Route } from '@trunkline/contract/routes'
import type { Trunk } from '@trunkline/contract/trunks'
import type { ReactNode } from 'react'
import { explain } from '../../app/api.ts'
import { formatRate } from '../../common/format/money.ts'
import { formatCount } from '../../common/format/numbers.ts'
import { Button, inRowClass } from '../../ui/Button.tsx'
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { Cell, HeadRow, OpeningRow } from './OpeningRow.tsx'
import { routesQuery, trunksQuery } from './queries.ts'

type PlanRowProps = {
  plan: Plan
  isOnly: boolean
  onOpen: (kind: 'name' | 'trunks' | 'delete') => void
}

/** The columns of a row, shared with the heads. */
const columns =
  'md:grid md:grid-cols-[minmax(0,4fr)_minmax(0,6fr)_5.5rem_minmax(0,4fr)_16.5rem] md:items-center md:gap-x-4 md:px-4'

export const PlanHeads = () => (
  <HeadRow columns={columns}>
    <span>Plan</span>
    <span>Trunks</span>
    <span className="text-right">Routes</span>
    <span>Prices</span>
  </HeadRow>
)

export function PlanRow({ plan, isOnly, onOpen }: PlanRowProps) {
  const trunks = useQuery({
    ...trunksQuery,
    select: (all) => all.filter(({ id }) => plan.trunk_ids.includes(id)),
  })
  const routes = useQuery({
    ...routesQuery,
    select: (all) => all.filter(({ planname }) => planname === plan.name),
  })
  const isUsed = plan.routes + plan.trunks > 0
  const names = (trunks.data ?? []).map(nameOf).join(', ')
  return (
    <OpeningRow
      name={plan.name}
      columns={columns}
      isOnly={isOnly}
      cells={
        <>
          <Cell title={names} className="max-md:w-full">
            {plan.trunks === 0 ? (
              <span className="text-danger">No trunks. Calls are refused.</span>
            ) : trunks.isPending ? (
              <Skeleton className="h-4 w-40" />
            ) : trunks.data ? (
              names
            ) : (
              formatCount(plan.trunks, 'trunk')
            )}
          </Cell>
          <Cell className="figures md:text-right">
            {plan.routes}
            <span className="md:sr-only"> {plan.routes === 1 ? 'route' : 'routes'}</span>
          </Cell>
          <Cell className="figures text-muted">{pricesOf(routes.data ?? [])}</Cell>
        </>
      }
      actions={
        <>
          <Button
            size="sm"
            className={inRowClass}
            onClick={() => onOpen('trunks')}
            aria-label={`Trunks of ${plan.name}`}
          >
            Trunks
          </Button>
          <Button
            size="sm"
            className={inRowClass}
            onClick={() => onOpen('name')}
            aria-label={`Rename ${plan.name}`}
          >
            Rename
          </Button>
          <Button
            size="sm"
            variant="ghost"
            className={inRowClass}
            disabled={isUsed}
            title={isUsed ? 'In use by routes or trunks' : undefined}
            onClick={() => onOpen('delete')}
            aria-label={`Delete ${plan.name}`}
          >
            Delete
          </Button>
        </>
      }
      details={
        <div className="grid gap-x-8 gap-y-4 px-4 pt-2 pb-4 text-sm md:grid-cols-2">
          <Part title={formatCount(plan.trunks, 'trunk')} label={`Trunks of ${plan.name}`}>
            {trunks.data?.map((trunk) => (
              <li key={trunk.id}>{nameOf(trunk)}</li>
            ))}
            {plan.trunks === 0 && <li className="text-muted">No trunks.</li>}
          </Part>
          <Part title={formatCount(plan.routes, 'route')} label={`Routes of ${plan.name}`}>
            {routes.isPending && (
              <li>
                <SkeletonRows rows={Math.min(plan.routes, 10)} className="h-6" />
              </li>
            )}
            {routes.isError && (
              <li className="text-danger">{explain(routes.error, messages.routesFailed)}</li>
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
          </Part>
        </div>
      }
    />
  )
}

const Part = ({ title, label, children }: { title: string; label: string; children: ReactNode }) => (
  <div>
    <p className="engraved mb-1.5 text-muted">{title}</p>
    <ul
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className="max-h-64 overflow-y-auto rounded-sm"
    >
      {children}
    </ul>
  </div>
)

const nameOf = ({ name, configured_status }: Trunk): string =>
  configured_status === 'inactive' ? `${name} (inactive)` : name

/** From the lowest to the highest price of the routes. */
function pricesOf(routes: readonly Route[]): string {
  const prices = routes.map(({ price }) => price)
  if (prices.length === 0) return ''
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)]
  return lowest === highest ? formatRate(lowest) : `${formatRate(lowest)} – ${formatRate(highest)}`
}
