import type { HistoricCall, HistoricOutcome } from '@trunkline/contract/demo-history'
import type { CallWish, Carrier } from './call.ts'
import type { Customer } from './customers.ts'
import { dialedNumber, numberNotSold } from './numbers.ts'
import { between, type Chance, logNormal, oneOf, weighted } from './random.ts'

/** Share of all attempts. */
const NOT_SOLD = 0.02
/** Outcomes of an unanswered call. */
const UNANSWERED = { noAnswer: 42, busy: 25, cancelled: 21, failed: 12 }
const FIRST_CARRIER_FAILS = 0.04
const CARRIER_FAULTS = [503, 503, 502, 500, 408]
const LONGEST_SECONDS = 3_000
const SPREAD = 1.05

/** A random call of a customer. */
export function generateCall(chance: Chance, customer: Customer, startedAt: number): HistoricCall {
  const { username, phones, countries } = customer
  const { address } = oneOf(chance, phones)
  const isSold = chance() >= NOT_SOLD
  const dialed = isSold ? dialedNumber(chance, weighted(chance, countries)) : numberNotSold(chance)
  const course = isSold ? courseOf(chance, customer) : NOWHERE
  return { username, address, dialed, startedAt, ...course }
}

type Course = Pick<HistoricCall, 'ringingAfterMs' | 'settledAfterMs' | 'outcome'>

const NOWHERE: Course = { ringingAfterMs: null, settledAfterMs: 0, outcome: { kind: 'refused' } }

function courseOf(chance: Chance, { answered, medianSeconds }: Customer): Course {
  const ringingAfterMs = between(chance, 700, 3_200)
  const rings = (least: number, most: number, outcome: HistoricOutcome): Course => ({
    ringingAfterMs,
    outcome,
    settledAfterMs: ringingAfterMs + between(chance, least, most),
  })
  const fails = (code: number, by: 'caller' | 'carrier' = 'carrier'): HistoricOutcome => ({
    kind: 'failed',
    code,
    by,
    attempts: [code],
  })
  if (chance() < answered) {
    const failedOver = chance() < FIRST_CARRIER_FAILS ? [oneOf(chance, CARRIER_FAULTS)] : []
    const seconds = Math.ceil(Math.min(logNormal(chance, medianSeconds, SPREAD), LONGEST_SECONDS))
    const by = chance() < 0.6 ? 'caller' : 'callee'
    return rings(2_000, 16_000, { kind: 'answered', seconds, by, failedOver })
  }
  switch (weighted(chance, UNANSWERED)) {
    case 'noAnswer':
      return rings(28_000, 45_000, fails(480))
    case 'cancelled':
      return rings(3_000, 24_000, fails(487, 'caller'))
    case 'busy':
      return { ringingAfterMs: null, settledAfterMs: between(chance, 900, 3_500), outcome: fails(486) }
    case 'failed': {
      const attempts = Array.from({ length: between(chance, 1, 2) }, () => oneOf(chance, CARRIER_FAULTS))
      const outcome = { ...fails(attempts.at(-1) ?? 503), attempts } as HistoricOutcome
      return { ringingAfterMs: null, settledAfterMs: between(chance, 300, 5_000), outcome }
    }
  }
}

const FAULT_MS = 300

/** Converts the call to a plan for the switch. */
export function planOf({ username, address, dialed, ...course }: HistoricCall): CallWish {
  const { ringingAfterMs, settledAfterMs, outcome } = course
  const who = { user: username, address, to: dialed }
  const broken = (codes: number[]): Carrier[] =>
    codes.map((code) => ({ code, afterMs: FAULT_MS, ringAfterMs: null }))
  const last = (code: number, earlier: number): Carrier => ({
    code,
    afterMs: Math.max(FAULT_MS, settledAfterMs - earlier * FAULT_MS),
    ringAfterMs: ringingAfterMs,
  })
  if (outcome.kind === 'refused') return who
  if (outcome.kind === 'answered') {
    const { failedOver, seconds, by } = outcome
    const carriers = [...broken(failedOver), last(200, failedOver.length)]
    return { ...who, carriers, talkMs: seconds * 1000 - FAULT_MS, hangsUp: by }
  }
  if (outcome.by === 'caller')
    return {
      ...who,
      givesUpAfterMs: settledAfterMs,
      carriers: [{ ...last(480, 0), afterMs: settledAfterMs + 60_000 }],
    }
  const earlier = outcome.attempts.slice(0, -1)
  return { ...who, carriers: [...broken(earlier), last(outcome.code, earlier.length)] }
}
