import { spendableToday } from '@trunkline/domain/guards'
import { type Micros, WIRE_LIMIT_MICROS } from '@trunkline/domain/money'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import type { Spending } from './spending.ts'

/** The remaining daily limit of a user, minus the holds of live calls. */
export type DailyLimit = (userId: number, heldMicros: Micros) => Micros

/** Before the catalog is loaded there is no known limit, so live calls continue. */
export const createDailyLimit =
  (catalogue: Catalogue, spending: Spending): DailyLimit =>
  (userId, heldMicros) => {
    const guards = catalogue.userById(userId)?.guards
    return guards ? spendableToday(guards, spending.of(userId), heldMicros) : WIRE_LIMIT_MICROS
  }
