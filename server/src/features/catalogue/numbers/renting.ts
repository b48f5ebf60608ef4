import { Refusal } from '@trunkline/contract/errors'
import { NUMBERS_PER_CUSTOMER_MAX } from '@trunkline/contract/limits'
import { rentNotCovered } from '@trunkline/contract/messages'
import { type Owner, system } from '@trunkline/domain/access'
import { availableMicros } from '@trunkline/domain/ledger'
import { add, formatDollars, formatExact, type Micros, micros, ZERO } from '@trunkline/domain/money'
import { periodEnd, periodOf } from '@trunkline/domain/rentals'
import { defaultPlan } from '@trunkline/domain/ringing'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import { type Ledger, orRefuse } from '../../money/ledger/service.ts'
import { findAccount } from '../../money/ledger/store.ts'
import {
  countRentals,
  findRentalByRequest,
  insertRental,
  lockCustomer,
  type RentalRow,
} from './rentals-store.ts'
import { lockNumber, type NumberRow, updateNumber } from './store.ts'

export type Renting = ReturnType<typeof createRenting>

export type RentRequest = {
  numberId: number
  userId: number
  /** The scope that pays: the customer or an administrator. */
  owner: Owner
  /** The user who sent the request. Keys are unique for each of them. */
  callerId: number
  /** The administrator who assigned the number. */
  assignedBy: number | null
  requestKey: string
  isCharged: boolean
  timeZone: string
  /** Compares the prices with those that the customer saw. */
  check: (number: NumberRow) => void
}

/** Ledger keys of a rental. */
export const rentKey = (rentalId: number, period: number | 'setup'): string => `rent:${rentalId}:${period}`

const day = (at: Date): string => at.toISOString().slice(0, 10)

/** The text of a line in the statement. */
export function rentReference(e164: string, startedAt: Date, period: number | 'setup'): string {
  if (period === 'setup') return `+${e164}, set-up`
  const { from, to } = periodOf(startedAt, period)
  return `+${e164}, ${day(from)} to ${day(to)}`
}

/** Names the amount that is missing. What this transaction has posted is given back. */
async function notCovered(
  tx: Database,
  { owner, userId }: RentRequest,
  e164: string,
  { total, posted }: { total: Micros; posted: Micros },
): Promise<Refusal> {
  const account = await findAccount(tx, owner, userId)
  const available = account ? add(availableMicros(account), posted) : ZERO
  const message = rentNotCovered(`+${e164}`, formatExact(total), formatDollars(available))
  return new Refusal('insufficient_balance', message)
}

/** Starts rentals: locks the customer, then the number, then the account. */
export function createRenting(clock: Clock, ledger: Ledger) {
  const scope = system('rental of a number')

  async function charge(
    tx: Database,
    request: RentRequest,
    rental: Pick<RentalRow, 'id' | 'e164' | 'user_id' | 'started_at'>,
    parts: readonly { period: 1 | 'setup'; amount: Micros }[],
  ): Promise<void> {
    const total = parts.reduce((sum, { amount }) => add(sum, amount), ZERO)
    let posted = ZERO
    for (const { period, amount } of parts) {
      if (amount === ZERO) continue
      const outcome = await ledger.within(tx).post(
        request.owner,
        {
          kind: 'number_rent',
          key: rentKey(rental.id, period),
          userId: rental.user_id,
          amountMicros: amount,
          reference: rentReference(rental.e164, rental.started_at, period),
        },
        request.assignedBy,
      )
      if (!outcome.ok && outcome.reason === 'insufficient_balance')
        throw await notCovered(tx, request, rental.e164, { total, posted })
      orRefuse(outcome)
      posted = add(posted, amount)
    }
  }

  return {
    /** Returns the id of the rental. A repeated request returns the first one. */
    async rentWithin(tx: Database, request: RentRequest): Promise<{ rentalId: number; isRepeat: boolean }> {
      const { userId, numberId, isCharged } = request
      requireFound(await lockCustomer(tx, userId))
      const key = `${request.callerId}:${request.requestKey}`
      const done = await findRentalByRequest(tx, scope, key)
      if (done) {
        if (done.number_id !== numberId || done.user_id !== userId) throw new Refusal('key_conflict')
        return { rentalId: done.id, isRepeat: true }
      }
      const number = requireFound(await lockNumber(tx, scope, numberId))
      const isOpen =
        number.status === 'available' || (number.status === 'reserved' && number.user_id === userId)
      // An administrator can assign a number that is reserved for nobody.
      const isForAssignment =
        request.assignedBy !== null && number.status === 'reserved' && number.user_id === null
      if (!isOpen && !isForAssignment) throw new Refusal('number_taken')
      request.check(number)
      if ((await countRentals(tx, userId)) >= NUMBERS_PER_CUSTOMER_MAX) throw new Refusal('too_many_numbers')
      const startedAt = clock.now()
      const { e164, monthly_micros, setup_micros, price_micros } = number
      await updateNumber(tx, scope, numberId, { status: 'rented', user_id: userId })
      const id = await insertRental(tx, {
        number_id: numberId,
        e164,
        user_id: userId,
        monthly_micros,
        setup_micros,
        price_micros,
        state: 'active',
        started_at: startedAt,
        periods: 1,
        paid_until: periodEnd(startedAt, 1),
        ring_plan: JSON.stringify(defaultPlan(request.timeZone)),
        request_key: key,
      })
      if (isCharged)
        await charge(tx, request, { id, e164, user_id: userId, started_at: startedAt }, [
          { period: 'setup', amount: micros(setup_micros) },
          { period: 1, amount: micros(monthly_micros) },
        ])
      return { rentalId: id, isRepeat: false }
    },
  }
}
