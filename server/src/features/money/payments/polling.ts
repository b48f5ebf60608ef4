import { type InvoiceState, isOpen } from '@trunkline/domain/payments'
import { DAY, HOUR, later, MINUTE } from '../../../platform/clock.ts'

/** Callbacks tell most of it; polling is for what they missed. */
export const FIRST_POLL_AFTER = MINUTE
/** An invoice that nobody at the provider knows after so long was never made. */
export const GIVEN_UP_AFTER = HOUR

/** Money can come late, or the rest of it: so long we ask about what has ended unpaid. */
const LATE_MONEY_FOR = 3 * DAY
const SLOWEST = 6 * HOUR

/** The older, the rarer: a quarter of the age while it is open, half of it afterwards. Null: nothing more to ask. */
export function nextPollAt(state: InvoiceState, createdAt: Date, now: Date): Date | null {
  const age = now.getTime() - createdAt.getTime()
  const within = (wait: number) => later(now, Math.min(SLOWEST, Math.max(MINUTE, Math.floor(wait))))
  if (isOpen(state)) return within(age / 4)
  const mayStillBePaid = state === 'expired' || state === 'underpaid'
  return mayStillBePaid && age < LATE_MONEY_FOR ? within(age / 2) : null
}
