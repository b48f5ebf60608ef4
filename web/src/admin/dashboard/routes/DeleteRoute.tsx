import { useMutation, useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import type { Route } from '@trunkline/contract/routes'
import { useState } from 'react'
import { ApiError, api, explain } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { Facts } from '../../../common/Facts.tsx'
import { formatRate } from '../../../common/format/money.ts'
import { formatNumber } from '../../../common/format/numbers.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { focusHeadingIfLost } from '../../../ui/focus-heading.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { routesQuery } from './queries.ts'

/** Reads the route again, so that the number of affected customers is current. */
export function DeleteRoute({ route: chosen, onClose }: { route: Route; onClose: () => void }) {
  const { data = [chosen], isFetching } = useQuery({ ...routesQuery, refetchOnMount: 'always' })
  const route = data.find(({ id }) => id === chosen.id) ?? chosen
  const [hasChanged, setChanged] = useState(false)

  const remove = useMutation({
    mutationFn: () =>
      api('DELETE /api/routes/:id', { params: { id: route.id }, query: { version: route.version } }),
    onSuccess: () => {
      onClose()
      void reread()
    },
    onError: async (error) => {
      const done = reread()
      if (error instanceof ApiError && error.code === 'changed_meanwhile') {
        await done
        return setChanged(true)
      }
      toast.error(explain(error, messages.deleteTrunkRouteFailed))
      if (error instanceof ApiError && error.status === 404) onClose()
    },
  })

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Delete this trunk/route?"
      description={`${route.name}, ${route.country}`}
      maxWidth={460}
      isBusy={remove.isPending}
      footer={
        <>
          <Button disabled={remove.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="danger"
            busy={remove.isPending}
            disabled={isFetching}
            onClick={() => remove.mutate()}
          >
            Delete
          </Button>
        </>
      }
    >
      {hasChanged && (
        <Notice tone="pending" className="mb-4">
          Someone else just changed this. The current version is shown.
        </Notice>
      )}
      <p>{affectedCustomers(route)}</p>
      <div className="mt-3">
        <Facts
          facts={[
            ['Plan', route.planname],
            ['Price', formatRate(route.price)],
            ['Premium', route.is_premium ? 'Yes' : 'No'],
          ]}
        />
      </div>
    </Dialog>
  )
}

/** The row that had the focus may be gone afterwards. */
async function reread() {
  await queryClient.invalidateQueries({ queryKey: routesQuery.queryKey })
  focusHeadingIfLost()
}

function affectedCustomers({ selected_by = 0, country }: Route): string {
  if (selected_by === 0) return 'No customer has selected this route.'
  const who = selected_by === 1 ? '1 customer has' : `${formatNumber(selected_by)} customers have`
  return `${who} selected this route. They cannot call ${country} until they choose another one.`
}
