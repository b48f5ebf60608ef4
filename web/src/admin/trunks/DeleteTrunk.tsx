import { useMutation, useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import type { Trunk } from '@trunkline/contract/trunks'
import { api, explain } from '../../app/api.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { refreshCatalogue, routesQuery, trunksQuery } from './queries.ts'
import { count, orphansOf } from './trunk-words.ts'

/** Asks first, and says what hangs on the trunk. */
export function DeleteTrunk({ trunk, onClose }: { trunk: Trunk; onClose: () => void }) {
  const { data: routes } = useQuery(routesQuery)
  const { data: trunks } = useQuery(trunksQuery)
  const live = trunks?.find(({ id }) => id === trunk.id)?.used ?? trunk.used
  const orphans = routes && trunks ? orphansOf(trunk, trunks, routes) : null
  const remove = useMutation({
    mutationFn: () => api('DELETE /api/trunks/:id', { params: { id: trunk.id } }),
    onSuccess: ({ message }) => {
      toast.success(message)
      onClose()
    },
    onSettled: refreshCatalogue,
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${trunk.name}?`}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Keep it
          </Button>
          <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            Delete trunk
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <p>
          It serves {trunk.plans?.length ? trunk.plans.join(', ') : 'no plan'}. With it go{' '}
          {count(trunk.rate_count ?? 0, 'prefix rate')} and its credentials. Call records keep its name.
        </p>
        {live > 0 && (
          <Notice tone="pending">
            {count(live, 'call is', 'calls are')} live on it: it cannot be deleted until they end.
          </Notice>
        )}
        {orphans === null ? (
          <p className="text-muted">Looking what depends on it…</p>
        ) : orphans.length === 0 ? (
          <p>Every route over it has another active trunk.</p>
        ) : (
          <Notice tone="danger">
            <p>
              {count(orphans.length, 'route has', 'routes have')} no other active trunk. Calls on{' '}
              {orphans.length === 1 ? 'it' : 'them'} would be refused:
            </p>
            <p className="mt-1">{orphans.map(({ name, country }) => `${name} (${country})`).join(', ')}</p>
          </Notice>
        )}
        {remove.isError && (
          <Notice tone="danger">{explain(remove.error, messages.deleteTrunkRouteFailed)}</Notice>
        )}
      </div>
    </Dialog>
  )
}
