import type { CallMessages } from '@trunkline/contract/sip-messages'
import type { Caller } from '@trunkline/domain/access'
import { layOut } from '@trunkline/domain/sip-trace'
import { type Clock, DAY, earlier } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { CallRecords } from '../cdr/service.ts'
import { readMessages } from './chunks-store.ts'

export type SipTraces = ReturnType<typeof createSipTraces>

type Deps = {
  db: Database
  clock: Clock
  records: Pick<CallRecords, 'callOf'>
  /** 0 if the capture is off. */
  days: number
}

/** The SIP messages of a call, for administrators. */
export function createSipTraces({ db, clock, records, days }: Deps) {
  return {
    async ofCall(caller: Caller, id: string): Promise<CallMessages> {
      const call = await records.callOf(caller, id)
      const tried = call.attempts.map(({ trunk, name, at }) => ({ trunk, name, at: at ?? null }))
      const { columns, steps } = layOut(await readMessages(db, call), tried)
      const isExpired = call.startedAt < earlier(clock.now(), days * DAY)
      return {
        state: steps.length > 0 ? 'captured' : days === 0 ? 'off' : isExpired ? 'expired' : 'none',
        days,
        columns,
        messages: steps.map(({ firstLine, isRetransmission, at, ...step }) => ({
          ...step,
          at: new Date(at).toISOString(),
          first_line: firstLine,
          is_retransmission: isRetransmission,
        })),
      }
    },
  }
}
