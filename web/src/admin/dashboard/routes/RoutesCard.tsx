import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages'
import type { Route } from '@trunkline/contract/routes'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { explain } from '../../../app/api.ts'
import { Failure } from '../../../common/Failure.tsx'
import { PanelCard } from '../../../common/PanelCard.tsx'
import { useLazyModule, useLoadFailure } from '../../../common/use-lazy-module.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { SkeletonRows } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { routesQuery } from './queries.ts'
import { RouteTable } from './RouteTable.tsx'
import { byCountry, searchRoutes } from './search-routes.ts'

type RoutesCardProps = {
  /** The route whose form is open. */
  open: 'new' | number | undefined
  onOpen: (route: 'new' | number) => void
  onClose: () => void
}

export function RoutesCard({ open, onOpen, onClose }: RoutesCardProps) {
  const routes = useQuery(routesQuery)
  const [typed, setTyped] = useState('')
  const [deleting, setDeleting] = useState<Route | null>(null)
  const all = routes.data ?? []
  const found = byCountry(searchRoutes(all, typed))
  const edited = typeof open === 'number' ? all.find(({ id }) => id === open) : undefined

  const isGone = typeof open === 'number' && routes.data !== undefined && edited === undefined
  useEffect(() => {
    if (!isGone) return
    toast.info('This trunk/route no longer exists.')
    onClose()
  }, [isGone, onClose])

  const isOpen = open !== undefined || deleting !== null
  const dialogs = useLazyModule('route-dialogs', () => import('./dialogs.ts'), isOpen)
  useLoadFailure(dialogs, isOpen, close)
  function close() {
    setDeleting(null)
    if (open !== undefined) onClose()
  }

  const actions = (
    <div className="flex flex-1 flex-wrap items-center justify-end gap-2 max-sm:basis-full">
      {all.length > 0 && (
        <>
          <p role="status" className="figures mr-auto text-muted text-sm">
            {found.length === all.length ? `${all.length} routes` : `${found.length} of ${all.length} routes`}
          </p>
          <SearchInput
            label="Search trunks/routes"
            placeholder="Country, name or plan"
            className="max-sm:order-last max-sm:w-full sm:w-60 [&_input]:sm:h-9"
            value={typed}
            onValueChange={setTyped}
          />
        </>
      )}
      <Link to="/admin-panal/trunks/pricing" className={buttonClass({ size: 'sm' })}>
        Bulk pricing
      </Link>
      <Button variant="primary" size="sm" onClick={() => onOpen('new')}>
        + Add Trunk/Route
      </Button>
    </div>
  )

  return (
    <PanelCard title="Trunks/Routes" step={0} action={actions} className="lg:pt-2">
      {routes.isPending ? (
        <Waiting />
      ) : routes.isLoadingError ? (
        <Failure onRetry={() => void routes.refetch()}>
          {explain(routes.error, messages.routesFailed)}
        </Failure>
      ) : all.length === 0 ? (
        <EmptyState
          title={messages.noRoutes}
          text="A route is a price per minute for a country, carried by the trunks of a plan. Customers can call once you add one."
        />
      ) : found.length === 0 ? (
        <EmptyState
          icon={<Search />}
          title={`No results for “${typed.trim()}”`}
          action={<Button onClick={() => setTyped('')}>Show all routes</Button>}
        />
      ) : (
        <RouteTable routes={found} onEdit={({ id }) => onOpen(id)} onDelete={setDeleting} />
      )}
      {dialogs.data && (
        <>
          {open === 'new' && <dialogs.data.RouteDialog route={null} onClose={onClose} />}
          {edited && <dialogs.data.RouteDialog key={edited.id} route={edited} onClose={onClose} />}
          {deleting && <dialogs.data.DeleteRoute route={deleting} onClose={() => setDeleting(null)} />}
        </>
      )}
    </PanelCard>
  )
}

const Waiting = () => (
  <div aria-busy="true">
    <p role="status" className="sr-only">
      Loading trunks...
    </p>
    <SkeletonRows rows={12} className="h-9" />
  </div>
)
