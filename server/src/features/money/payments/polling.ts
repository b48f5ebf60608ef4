import { type InvoiceState, isOpen } from '@trunkline/domain/payments'
import { DAY, HOUR, later, MINUTE } from '../../../platform/clock.ts'

/** Polling only covers missed callbacks. */
export const FIRST_POLL_AFTER = MINUTE
/** An invoice that the provider does not know after this time was never created. */
export const GIVEN_UP_AFTER = HOUR

/** How long unpaid invoices are polled for late payments. */
const LATE_MONEY_FOR = 3 * DAY
const SLOWEST = 6 * HOUR

/** The interval grows with the age: a quarter of it for open invoices, half of it for ended ones. Null ends polling. */
export function nextPollAt(state: InvoiceState, createdAt: Date, now: Date): Date | null {
  const age = now.getTime() - createdAt.getTime()
  const within = (wait: number) => later(now, Math.min(SLOWEST, Math.max(MINUTE, Math.floor(wait))))
  if (isOpen(state)) return within(age / 4)
  const mayStillBePaid = state === 'expired' || state === 'underpaid'
  return mayStillBePaid && age < LATE_MONEY_FOR ? within(age / 2) : null
}
