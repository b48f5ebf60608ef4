import { useMutation } from '@tanstack/react-query'
import type { Trunk } from '@trunkline/contract/trunks'
import { api, explain } from '../../app/api.ts'
import { toast } from '../../ui/toast.ts'
import { refreshCatalogue } from './queries.ts'

export type TrunkChange = ReturnType<typeof useTrunkChange>

/** Sends the version, so that a trunk changed by someone else is shown before it is switched. */
export function useTrunkChange({ id, name, version }: Trunk) {
  return useMutation({
    mutationFn: (to: 'primary' | 'active' | 'inactive') =>
      to === 'primary'
        ? api('PATCH /api/trunks/:id/primary', { params: { id } })
        : api('PATCH /api/trunks/:id', { params: { id }, body: { status: to, version } }),
    onSuccess: (_, to) => {
      const words = {
        primary: 'is now primary',
        active: 'is active',
        inactive: 'is inactive',
      }
      toast.success(`${name} ${words[to]}.`)
    },
    onError: (error) => toast.error(explain(error, `${name} could not be changed.`)),
    onSettled: refreshCatalogue,
  })
}
