import type { User } from '@trunkline/contract/accounts'
import type { DashboardStats } from '@trunkline/contract/dashboard'

export type StepName = 'caller-id' | 'route' | 'top-up' | 'phone' | 'call'

export type Known = {
  user: Pick<User, 'bal'>
  callerId: string | null
  routes: number
  phones: number
  /** Number of trusted addresses. */
  trusted: number
  stats: Pick<DashboardStats, 'totalCalls' | 'totalMinutes' | 'totalCost'>
}

/** A step stays done after its trace is gone, for example when the balance is spent or the phone is off. */
export const doneSteps = ({
  user,
  callerId,
  routes,
  phones,
  trusted,
  stats,
}: Known): Record<StepName, boolean> => ({
  'caller-id': callerId !== null,
  route: routes > 0,
  'top-up': user.bal > 0 || stats.totalCost > 0,
  phone: phones > 0 || trusted > 0 || stats.totalCalls > 0,
  call: stats.totalMinutes > 0,
})

/** Hides the list for accounts that were complete when this browser first saw them. */
export function isShown(isComplete: boolean, remembered: 'begun' | 'dismissed' | null): boolean {
  if (remembered === 'dismissed') return false
  return !isComplete || remembered === 'begun'
}
