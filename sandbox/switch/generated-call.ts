import type { HistoricCall, HistoricOutcome } from '@trunkline/contract/demo-history'
import type { CallWish, Carrier } from './call.ts'
import type { Customer } from './customers.ts'
import { generateMedia, type Network } from './generated-media.ts'
import { type DialedCountry, dialedNumber, numberNotSold } from './numbers.ts'
import { between, type Chance, logNormal, oneOf, weighted } from './random.ts'

/** Share of all attempts. */
const NOT_SOLD = 0.02
/** Outcomes of an unanswered call. */
const UNANSWERED = { noAnswer: 42, busy: 25, cancelled: 21, failed: 12 }

/** Quality of the carriers of a country. */
type Quality = {
  /** Factor on the customer's answer rate. */
  answered: number
  /** Time from the INVITE to ringing. */
  ringsAfterMs: readonly [number, number]
  /** Share of answered calls that a second carrier connects. */
  firstFails: number
  network: Network
}
const USUAL: Quality = {
  answered: 1,
  ringsAfterMs: [700, 3_200],
  firstFails: 0.03,
  network: { lossPercent: 0.3, jitterMs: 6, roundTripMs: 70 },
}
const QUALITY: Partial<Record<DialedCountry, Quality>> = {
  GB: {
    answered: 1.18,
    ringsAfterMs: [500, 1_600],
    firstFails: 0.01,
    network: { lossPercent: 0.1, jitterMs: 3, roundTripMs: 30 },
  },
  DE: {
    answered: 1.1,
    ringsAfterMs: [600, 2_000],
    firstFails: 0.02,
    network: { lossPercent: 0.2, jitterMs: 4, roundTripMs: 35 },
  },
  AU: {
    answered: 1.05,
    ringsAfterMs: [1_200, 3_800],
    firstFails: 0.03,
    network: { lossPercent: 1, jitterMs: 9, roundTripMs: 240 },
  },
  IN: {
    answered: 0.55,
    ringsAfterMs: [3_500, 9_500],
    firstFails: 0.24,
    network: { lossPercent: 3, jitterMs: 24, roundTripMs: 210 },
  },
  BR: {
    answered: 0.75,
    ringsAfterMs: [2_500, 7_000],
    firstFails: 0.1,
    network: { lossPercent: 1.6, jitterMs: 16, roundTripMs: 190 },
  },
  MX: {
    answered: 0.8,
    ringsAfterMs: [2_000, 5_500],
    firstFails: 0.08,
    network: { lossPercent: 1.4, jitterMs: 14, roundTripMs: 120 },
  },
}

const CARRIER_FAULTS = [503, 503, 502, 500, 504]
const LONGEST_SECONDS = 3_000
const SPREAD = 1.05

/** A random call of a customer. */
export function generateCall(chance: Chance, customer: Customer, startedAt: number): HistoricCall {
  const { username, phones, countries } = customer
  const phone = oneOf(chance, phones)
  const isSold = chance() >= NOT_SOLD
  if (!isSold) return { username, ...phone, dialed: numberNotSold(chance), startedAt, ...NOWHERE }
  const country = weighted(chance, countries)
  const dialed = dialedNumber(chance, country)
  const course = courseOf(chance, customer, QUALITY[country] ?? USUAL, startedAt)
  return { username, ...phone, dialed, startedAt, ...course }
}

export const fails = (code: number, by: 'caller' | 'carrier' = 'carrier'): HistoricOutcome => ({
  kind: 'failed',
  code,
  by,
  attempts: [code],
})

type Course = Pick<HistoricCall, 'ringingAfterMs' | 'settledAfterMs' | 'outcome'>

const NOWHERE: Course = { ringingAfterMs: null, settledAfterMs: 0, outcome: { kind: 'refused' } }

function courseOf(
  chance: Chance,
  { answered, medianSeconds }: Customer,
  quality: Quality,
  startedAt: number,
): Course {
  const ringingAfterMs = between(chance, ...quality.ringsAfterMs)
  const rings = (least: number, most: number, outcome: HistoricOutcome): Course => ({
    ringingAfterMs,
    outcome,
    settledAfterMs: ringingAfterMs + between(chance, least, most),
  })
  if (chance() < answered * quality.answered) {
    const failedOver = chance() < quality.firstFails ? [oneOf(chance, CARRIER_FAULTS)] : []
    const seconds = Math.ceil(Math.min(logNormal(chance, medianSeconds, SPREAD), LONGEST_SECONDS))
    const by = chance() < 0.6 ? 'caller' : 'callee'
    const media = generateMedia(startedAt, quality.network, {
      seconds,
      isSecondChoice: failedOver.length > 0,
    })
    return rings(2_000, 16_000, { kind: 'answered', seconds, by, failedOver, media })
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
export function planOf({ username, address, device, dialed, ...course }: HistoricCall): CallWish {
  const { ringingAfterMs, settledAfterMs, outcome } = course
  const who = { user: username, address, device, to: dialed }
  const broken = (codes: number[]): Carrier[] =>
    codes.map((code) => ({ code, afterMs: FAULT_MS, ringAfterMs: null }))
  const last = (code: number, earlier: number): Carrier => ({
    code,
    afterMs: Math.max(FAULT_MS, settledAfterMs - earlier * FAULT_MS),
    ringAfterMs: ringingAfterMs,
  })
  if (outcome.kind === 'refused') return who
  if (outcome.kind === 'answered') {
    const { failedOver, seconds, by, media } = outcome
    const carriers = [...broken(failedOver), last(200, failedOver.length)]
    return { ...who, carriers, talkMs: seconds * 1000 - FAULT_MS, hangsUp: by, media }
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
