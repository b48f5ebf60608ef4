import { useQuery } from '@tanstack/react-query'
import type { User } from '@trunkline/contract/accounts'
import { addressesQuery, registrationsQuery, trustedIn } from '../../connect/queries.ts'
import { selectionQuery } from '../../trunks/queries.ts'
import { callerIdQuery, statsQuery } from '../queries.ts'
import { doneSteps, type StepName } from './steps.ts'

type Done = Record<StepName, boolean>

/** Waits for all queries, so that a done step never appears open. */
export function useDoneSteps(user: User, enabled: boolean): { done: Done | null; hasFailed: boolean } {
  const callerId = useQuery({ ...callerIdQuery, enabled })
  const selection = useQuery({ ...selectionQuery, enabled })
  const phones = useQuery({ ...registrationsQuery, enabled })
  const addresses = useQuery({ ...addressesQuery, enabled })
  const stats = useQuery({ ...statsQuery, enabled })
  const hasFailed = [callerId, selection, phones, addresses, stats].some((query) => query.isLoadingError)
  if (!enabled || !callerId.data || !selection.data || !phones.data || !addresses.data || !stats.data)
    return { done: null, hasFailed }
  const done = doneSteps({
    user,
    callerId: callerId.data.callerid,
    routes: selection.data.selectedRoutes.length,
    phones: phones.data.length,
    trusted: trustedIn(addresses.data).length,
    stats: stats.data,
  })
  return { done, hasFailed }
}
