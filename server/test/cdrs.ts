import { micros } from '@trunkline/domain/money'
import type { NewCdr } from '../src/features/calls/cdr/cdr-store.ts'
import { OUTGOING } from '../src/features/calls/live-calls/call.ts'

let calls = 0

/** A record of a one-minute call to London at one cent per minute. */
export function aCdr(changes: Partial<NewCdr> = {}): NewCdr {
  const startedAt = changes.startedAt ?? new Date('2026-03-01T11:00:00.000Z')
  const isAnswered = (changes.status ?? 'completed') === 'completed'
  const seconds = changes.seconds ?? (isAnswered ? 60 : 0)
  const answeredAt = isAnswered ? new Date(startedAt.getTime() + 5_000) : null
  return {
    ...OUTGOING,
    callId: `sw1/call-${++calls}`,
    switchId: 'sw1',
    isDemo: false,
    userId: null,
    status: 'completed',
    reason: isAnswered ? 'hung_up_by_caller' : 'no_answer',
    sipCode: isAnswered ? 200 : 480,
    sipAccount: 'alice',
    sourceAddress: '192.0.2.10',
    device: '',
    callerId: '12025550100',
    dialed: '+442079460000',
    destination: '442079460000',
    country: 'GB',
    lineType: 'landline',
    routeId: 1,
    routeName: 'Gold CLI',
    planName: 'Gold CLI',
    ratePrefix: null,
    rate: {
      priceMicros: micros(10_000n),
      connectFeeMicros: micros(0n),
      firstIncrement: 1,
      nextIncrement: 1,
    },
    trunkId: isAnswered ? 1 : null,
    trunkName: isAnswered ? 'Carrier One' : null,
    attempts: isAnswered ? [] : [{ trunk: 1, name: 'Carrier One', code: 480, reason: 'No Answer' }],
    startedAt,
    ringingAt: new Date(startedAt.getTime() + 1_000),
    answeredAt,
    endedAt: new Date(startedAt.getTime() + 5_000 + seconds * 1_000),
    seconds,
    billedSeconds: seconds,
    costMicros: micros(isAnswered ? BigInt(Math.ceil((10_000 * seconds) / 60)) : 0n),
    buyMicros: micros(isAnswered ? BigInt(Math.ceil((4_000 * seconds) / 60)) : 0n),
    hungUpBy: isAnswered ? 'caller' : null,
    ...changes,
  }
}

/** Fields of an outgoing call in a list of records. */
export const outgoing = { direction: 'out', caller_name: '', explanation: '' }
