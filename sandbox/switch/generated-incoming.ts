import type { HistoricCall, HistoricOutcome } from '@trunkline/contract/demo-history'
import type { Customer } from './customers.ts'
import { fails } from './generated-call.ts'
import { generateMedia } from './generated-media.ts'
import { dialedNumber } from './numbers.ts'
import { between, type Chance, logNormal, weighted } from './random.ts'

const OUTCOMES = { answered: 66, noAnswer: 18, canceled: 11, busy: 5 }
/** The ring time of a number that nobody has changed. */
const RINGS_MS = 25_000
const LONGEST_SECONDS = 2_400
const SPREAD = 1
/** From a range reserved for documentation. */
const CARRIER_ADDRESS = '192.0.2.200'

/** Of the carrier that sends the calls. */
const NETWORK = { lossPercent: 0.2, jitterMs: 5, roundTripMs: 45 }

type Called = Customer & { number: NonNullable<Customer['number']> }

/** A random call to the number of a customer, from a country that this customer calls too. */
export function generateIncoming(chance: Chance, customer: Called, startedAt: number): HistoricCall {
  const from = dialedNumber(chance, weighted(chance, customer.countries)).replace(/^(\+|00)/, '')
  const ringingAfterMs = between(chance, 80, 400)
  const call = {
    username: customer.username,
    from,
    dialed: customer.number.e164,
    address: CARRIER_ADDRESS,
    device: '',
    startedAt,
    ringingAfterMs,
  }
  const after = (ms: number, outcome: HistoricOutcome): HistoricCall => ({
    ...call,
    settledAfterMs: ringingAfterMs + ms,
    outcome,
  })
  switch (weighted(chance, OUTCOMES)) {
    case 'answered': {
      const seconds = Math.ceil(Math.min(logNormal(chance, customer.medianSeconds, SPREAD), LONGEST_SECONDS))
      const by = chance() < 0.7 ? 'caller' : 'callee'
      return after(between(chance, 2_000, 18_000), {
        kind: 'answered',
        seconds,
        by,
        failedOver: [],
        media: generateMedia(startedAt, NETWORK, { seconds, isSecondChoice: false }),
      })
    }
    case 'noAnswer':
      return after(RINGS_MS, fails(480))
    case 'canceled':
      return after(between(chance, 4_000, 20_000), fails(487, 'caller'))
    case 'busy':
      return after(between(chance, 100, 900), fails(486))
  }
}
