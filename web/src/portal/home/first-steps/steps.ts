import type { User } from '@trunkline/contract/accounts'
import type { DashboardStats } from '@trunkline/contract/dashboard'

export type StepName = 'caller-id' | 'route' | 'top-up' | 'phone' | 'call'

export type Known = {
  user: Pick<User, 'bal'>
  callerId: string | null
  routes: number
  phones: number
  /** How many addresses need no password. */
  trusted: number
  stats: Pick<DashboardStats, 'totalCalls' | 'totalMinutes' | 'totalCost'>
}

/**
 * Which steps are behind a customer. What has led to something counts as done though its trace is gone: money that was
 * spent, a phone that is switched off.
 */
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

/**
 * The list is for whoever has begun it: an account that was complete when this browser first saw it is not greeted with
 * five ticks. `begun` and `dismissed` are what the browser remembers.
 */
export function isShown(isComplete: boolean, remembered: 'begun' | 'dismissed' | null): boolean {
  if (remembered === 'dismissed') return false
  return !isComplete || remembered === 'begun'
}
