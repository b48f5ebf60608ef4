import type { HistoricCall } from '@trunkline/contract/demo-history'
import type { CallUser, InventoryNumber } from '@trunkline/domain/callcontrol'
import { type Micros, WIRE_LIMIT_MICROS } from '@trunkline/domain/money'
import { defaultPlan } from '@trunkline/domain/ringing'
import type { Clock } from '../../../platform/clock.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { createIncoming } from '../callcontrol/admission-incoming.ts'
import { createCalls } from '../callcontrol/calls.ts'
import { recordOf } from '../callcontrol/records.ts'
import { createSpending } from '../callcontrol/spending.ts'
import type { NewCdr } from '../cdr/cdr-store.ts'
import { endingOf, SWITCH } from './past-calls.ts'

export type PastIncoming = ReturnType<typeof createPastIncoming>

const SESSION = { switchId: SWITCH, isDemo: true }

/**
 * Converts generated incoming calls to records, with the normal rules. The rentals are created later in the import, so the calls are
 * decided as if the customer already rented the number. Null if the number is gone or the call is refused.
 */
export function createPastIncoming(
  catalogue: Catalogue,
  clock: Clock,
  priceOf: (e164: string) => Micros | undefined,
) {
  const rentedBy = (e164: string, userId: number): InventoryNumber | undefined => {
    const number = catalogue.numberByE164(e164)
    const priceMicros = priceOf(e164)
    if (!number || priceMicros === undefined) return undefined
    const rental = {
      userId,
      priceMicros,
      state: 'active',
      ringPlan: defaultPlan('UTC'),
      records: false,
    } as const
    return { ...number, status: 'rented', rental }
  }

  return (past: HistoricCall, name: string, user: CallUser): NewCdr | null => {
    const number = rentedBy(past.dialed, user.id)
    const carrier = catalogue.carrier(number?.trunkId ?? 0)
    if (!number || !carrier) return null
    const decide = createIncoming({
      catalogue: { ...catalogue, numberByE164: () => number, carriersAt: () => [carrier] },
      elsewhere: () => [],
      calls: createCalls(clock),
      spending: createSpending(clock),
      sliceSeconds: 60,
    })
    const question = {
      type: 'authorize',
      call: name,
      at: past.startedAt,
      heardAtMs: past.startedAt,
      address: past.address,
      device: past.device,
      from: past.from ?? '',
      to: past.dialed,
    } as const
    const decision = decide(SESSION, question, null)
    if (!decision.ok) return null
    const { call } = decision
    const ringingAt = past.ringingAfterMs === null ? null : new Date(past.startedAt + past.ringingAfterMs)
    const targets = call.offered.map(({ id }) => id).filter((id) => id < 0)
    return recordOf({ ...call, ringingAt }, endingOf(past, name, targets), WIRE_LIMIT_MICROS)
  }
}
