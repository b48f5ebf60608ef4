import { messages } from '@trunkline/contract/messages'
import type { Route } from '@trunkline/contract/routes'
import { Check, Lock } from 'lucide-react'
import { formatRate } from '../../common/format/money.ts'
import { billingTerms } from '../../common/prices.ts'
import { Badge } from '../../ui/Badge.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { Quality } from './Quality.tsx'
import { finerPrices, isLocked, nameOf, type RouteGroup } from './route-groups.ts'

type RoutePickerProps = {
  /** Kept while the dialog closes; null before it is first opened. */
  group: RouteGroup | null
  open: boolean
  isPremium: boolean
  onSelect: (route: Route) => void
  onClose: () => void
}

export function RoutePicker({ group, open, isPremium, onSelect, onClose }: RoutePickerProps) {
  if (!group) return null
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Select Route for ${group.country}`}
    >
      <ul className="-mx-5 -my-5 max-h-[60vh] divide-y overflow-y-auto">
        {group.routes.map((route) => (
          <RouteOption
            key={route.id}
            route={route}
            isCurrent={route.id === group.selected?.id}
            locked={isLocked(route, isPremium)}
            isNamesake={group.routes.some((other) => other !== route && nameOf(other) === nameOf(route))}
            onSelect={() => onSelect(route)}
          />
        ))}
      </ul>
    </Dialog>
  )
}

type RouteOptionProps = {
  route: Route
  isCurrent: boolean
  locked: boolean
  /** Another route has the same plan name, so the route name is shown too. */
  isNamesake: boolean
  onSelect: () => void
}

function RouteOption({ route, isCurrent, locked, isNamesake, onSelect }: RouteOptionProps) {
  const details = [isNamesake ? route.name : null, finerPrices(route), billingTerms(route)].filter(Boolean)
  return (
    <li>
      <button
        type="button"
        aria-current={isCurrent || undefined}
        aria-disabled={locked || undefined}
        onClick={() => (locked ? toast.error(messages.upgradeToSelect) : onSelect())}
        className={cx(
          'grid w-full grid-cols-[1.25rem_minmax(0,1fr)_auto] gap-x-3 px-5 py-3.5 text-left transition-colors focus-visible:-outline-offset-2',
          locked ? 'cursor-not-allowed' : 'hover:bg-ink/4',
          isCurrent && 'bg-signal-soft',
        )}
      >
        <span className="pt-0.5">
          {isCurrent ? (
            <Check role="img" aria-label="Current route" className="size-5 text-signal-ink" />
          ) : (
            locked && <Lock aria-hidden className="mt-0.5 size-4 text-muted" />
          )}
        </span>
        {/* Dimmed by color and not by opacity, to keep the contrast. */}
        <span className={cx('min-w-0', locked && 'text-muted')}>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 break-words font-medium">{nameOf(route)}</span>
            {route.is_premium && <Badge tone={locked ? 'neutral' : 'pending'}>Premium</Badge>}
          </span>
          <Quality routeId={route.id} />
          {details.length > 0 && (
            <span className="figures block text-muted text-xs first-letter:uppercase">
              {details.join(' · ')}
            </span>
          )}
        </span>
        <span className={cx('text-right', locked && 'text-muted')}>
          <span className="figures block font-semibold">{formatRate(route.price)}</span>
          {locked && <span className="block text-pending text-xs">Upgrade to select</span>}
        </span>
      </button>
    </li>
  )
}
