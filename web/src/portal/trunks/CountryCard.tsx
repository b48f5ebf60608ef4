import { Crown } from 'lucide-react'
import { formatRate } from '../../common/format/money.ts'
import { billingTerms } from '../../common/prices.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Lamp } from '../../ui/Lamp.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Quality } from './Quality.tsx'
import { finerPrices, nameOf, type RouteGroup } from './route-groups.ts'

type CountryCardProps = {
  group: RouteGroup
  /** False if the selection could not be loaded. */
  isSelectionKnown: boolean
  onChange: () => void
}

export function CountryCard({ group, isSelectionKnown, onChange }: CountryCardProps) {
  const { country, code, routes, selected } = group
  const details = selected && [finerPrices(selected), billingTerms(selected)].filter(Boolean).join(' · ')
  return (
    <li className="card flex flex-col gap-4">
      <div className="flex min-h-7 items-center gap-2.5">
        <CountryCodePlate code={code} />
        <h3 className="min-w-0 flex-1 break-words font-semibold text-lg tracking-tight">{country}</h3>
        {selected && (
          <Badge tone="signal">
            <Lamp lit="signal" label="" className="size-3" />
            Selected
          </Badge>
        )}
      </div>
      <div className="min-h-26 flex-1 rounded-lg border bg-ground px-3.5 py-3">
        <p className="engraved text-muted">Current Route</p>
        <p className="mt-1.5 flex items-baseline justify-between gap-3">
          <span className={cx('min-w-0 truncate font-medium', !selected && 'text-muted')}>
            {selected ? nameOf(selected) : isSelectionKnown ? 'None' : 'Unknown'}
            {selected?.is_premium && (
              <Crown aria-label="Premium" role="img" className="ml-1.5 inline size-3.5 text-pending" />
            )}
          </span>
          <span className="figures shrink-0 font-semibold">
            {selected ? formatRate(selected.price) : '–'}
          </span>
        </p>
        {selected ? (
          <div className="mt-1 flex flex-col gap-0.5">
            <Quality routeId={selected.id} />
            {details && (
              <p className="figures truncate text-muted text-xs first-letter:uppercase" title={details}>
                {details}
              </p>
            )}
          </div>
        ) : (
          <p className="mt-1 text-muted text-xs">
            {isSelectionKnown
              ? `Calls to ${country} are refused until you choose a route.`
              : 'Your selection could not be loaded. Calls still use the route you selected.'}
          </p>
        )}
      </div>
      <Button className="w-full" onClick={onChange}>
        Change Route
        <span className="sr-only"> for {country}</span>
        <span aria-hidden className="figures text-xs opacity-70">
          {routes.length}
        </span>
      </Button>
    </li>
  )
}

/** Country codes instead of flags, which some systems cannot draw. */
export const CountryCodePlate = ({ code }: { code: string }) => (
  <span
    aria-hidden
    className="grid h-6 min-w-9 shrink-0 place-items-center rounded-sm border border-edge/60 bg-raised px-1.5 font-mono font-medium text-xs"
  >
    {code}
  </span>
)

/** As high as a card. */
export const CardSkeleton = () => (
  <li aria-hidden className="card flex flex-col gap-4">
    <div className="flex min-h-7 items-center gap-2.5">
      <Skeleton className="h-6 w-9" />
      <Skeleton className="h-5 w-32" />
    </div>
    <div className="min-h-26 rounded-lg border bg-ground px-3.5 py-3">
      <Skeleton className="h-3 w-24" />
      <div className="mt-3 flex justify-between">
        <Skeleton className="w-24" />
        <Skeleton className="w-20" />
      </div>
      <Skeleton className="mt-3 h-3 w-40" />
    </div>
    <Skeleton className="h-10" />
  </li>
)
