import type { RentalState } from '../ringing/index.ts'
import { periodContaining, periodEnd } from './periods.ts'

export type RenewalFacts = {
  readonly state: RentalState
  readonly startedAt: Date
  /** The last paid period. */
  readonly periods: number
  readonly cancels: boolean
  /** The period whose renewal the customer was warned about. */
  readonly warnedPeriod: number | null
  readonly overdueSince: Date | null
  readonly suspendedAt: Date | null
}

export type RenewalSettings = {
  readonly warnDays: number
  readonly graceDays: number
  readonly suspendedDays: number
}

/** One change of a rental. The caller carries it out in one transaction and asks again until there is none. */
export type RenewalStep =
  | { readonly kind: 'none' }
  /** Warn the customer that the balance does not cover the next period. */
  | { readonly kind: 'warn'; readonly period: number }
  /** Book the period. */
  | { readonly kind: 'renew'; readonly period: number; readonly paidUntil: Date; readonly isActive: boolean }
  | { readonly kind: 'grace' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'end'; readonly reason: 'cancelled' | 'unpaid' }

export type Deadlines = { readonly suspendsAt: Date; readonly releasesAt: Date }

const DAY_MS = 86_400_000
const afterDays = (from: Date, days: number): Date => new Date(from.getTime() + days * DAY_MS)

/** When a rental in grace is suspended and released if nobody pays. Null for other states. */
export function deadlinesOf(rental: RenewalFacts, settings: RenewalSettings): Deadlines | null {
  const { state, overdueSince, suspendedAt } = rental
  if (overdueSince === null || (state !== 'grace' && state !== 'suspended')) return null
  const suspendsAt =
    state === 'suspended' && suspendedAt !== null ? suspendedAt : afterDays(overdueSince, settings.graceDays)
  return { suspendsAt, releasesAt: afterDays(suspendsAt, settings.suspendedDays) }
}

/**
 * Decides the next step of a rental.
 *
 * - Each due period is booked in order, also after an outage of several months, because the number rang all the time. The first
 *   period that the balance does not cover starts the grace period at that moment, so an outage never shortens it.
 * - A late payment in grace is for the period after the last paid one. The rental becomes active when nothing is due.
 * - A late payment while suspended is for the period that contains the moment of payment. Earlier periods that passed completely
 *   while the number did not ring are never booked. The days of renewal do not change.
 * - Suspension lasts its full time, counted from the moment of suspension.
 */
export function decideRenewal(
  rental: RenewalFacts,
  isCovered: boolean,
  settings: RenewalSettings,
  now: Date,
): RenewalStep {
  const { state, startedAt, periods } = rental
  if (state === 'ended') return { kind: 'none' }
  const paidUntil = periodEnd(startedAt, periods)
  if (now < paidUntil) return warningOf(rental, isCovered, settings, now)
  if (rental.cancels) return { kind: 'end', reason: 'cancelled' }
  if (isCovered) {
    const due = periods + 1
    const period = state === 'suspended' ? Math.max(due, periodContaining(startedAt, now)) : due
    const end = periodEnd(startedAt, period)
    return { kind: 'renew', period, paidUntil: end, isActive: end > now }
  }
  const deadlines = deadlinesOf(rental, settings)
  if (state === 'active' || deadlines === null) return { kind: 'grace' }
  if (state === 'grace') return { kind: now < deadlines.suspendsAt ? 'none' : 'suspend' }
  return now < deadlines.releasesAt ? { kind: 'none' } : { kind: 'end', reason: 'unpaid' }
}

function warningOf(
  { startedAt, periods, cancels, warnedPeriod }: RenewalFacts,
  isCovered: boolean,
  { warnDays }: RenewalSettings,
  now: Date,
): RenewalStep {
  const period = periods + 1
  const isNear = now >= afterDays(periodEnd(startedAt, periods), -warnDays)
  return isNear && !cancels && !isCovered && warnedPeriod !== period && warnDays > 0
    ? { kind: 'warn', period }
    : { kind: 'none' }
}
