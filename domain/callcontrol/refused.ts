import type { PhoneNumber } from '../numbers/index.ts'
import type { Refused } from './admit.ts'
import type { RefusalReason } from './reasons.ts'

/** Refuses a call that needs no route of a plan. */
export const refusalOf =
  (number: PhoneNumber) =>
  (reason: RefusalReason): Refused => ({ ok: false, reason, isGuard: false, number, route: null })
