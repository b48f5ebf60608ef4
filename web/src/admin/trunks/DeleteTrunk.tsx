import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import type { Trunk } from '@trunkline/contract/trunks'
import { api } from '../../app/api.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { formatCount } from '../../common/format/numbers.ts'
import { Notice } from '../../ui/Notice.tsx'
import { refreshCatalogue, routesQuery, trunksQuery } from './queries.ts'
import { orphansOf } from './trunk-words.ts'

export function DeleteTrunk({ trunk, onClose }: { trunk: Trunk; onClose: () => void }) {
  const { data: routes } = useQuery(routesQuery)
  const { data: trunks } = useQuery(trunksQuery)
  const live = trunks?.find(({ id }) => id === trunk.id)?.used ?? trunk.used
  const orphans = routes && trunks ? orphansOf(trunk, trunks, routes) : null
  return (
    <Confirm
      title={`Delete ${trunk.name}?`}
      action="Delete trunk"
      failed={messages.deleteTrunkRouteFailed}
      onConfirm={() => api('DELETE /api/trunks/:id', { params: { id: trunk.id } })}
      reread={refreshCatalogue}
      onClose={onClose}
    >
      <p>
        This trunk serves {trunk.plans?.length ? trunk.plans.join(', ') : 'no plan'}. Its{' '}
        {formatCount(trunk.rate_count ?? 0, 'prefix rate')} and credentials are deleted too. Call records keep
        its name.
      </p>
      {live > 0 && (
        <Notice tone="pending">
          {formatCount(live, 'call is', 'calls are')} live on this trunk. Wait until they end.
        </Notice>
      )}
      {orphans === null ? (
        <p className="text-muted">Checking dependent routes…</p>
      ) : orphans.length === 0 ? (
        <p>Every route that uses it has another active trunk.</p>
      ) : (
        <Notice tone="danger">
          <p>
            {formatCount(orphans.length, 'route has', 'routes have')} no other active trunk. Calls on{' '}
            {orphans.length === 1 ? 'it' : 'them'} would be refused:
          </p>
          <p className="mt-1">{orphans.map(({ name, country }) => `${name} (${country})`).join(', ')}</p>
        </Notice>
      )}
    </Confirm>
  )
}
